"""The first page: what is mounted where, written from the surface itself."""

import json
from collections.abc import Mapping
from html import escape
from typing import Any

import polyface as pf

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The atlas</title>
<style>
  body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto;
         padding: 0 1rem; color-scheme: light dark }}
  table {{ border-collapse: collapse; width: 100% }}
  th, td {{ text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0;
           border-bottom: 1px solid #8884 }}
  code {{ font-size: .9em }}
  small {{ opacity: .75 }}
</style>
<h1>The atlas</h1>
<p>250 countries, declared once and answered on every transport. A tool answers with a declared view
of what HTTP answers.</p>
<h2>Where</h2>
<table>
{mounts}
</table>
<h2>What</h2>
<table>
<tr><th>Operation<th>HTTP<th>Full answer<th>Tool<th>Tool answer</tr>
{operations}
</table>
<p><small>Contains information from
<a href="https://github.com/mledoze/countries">world-countries</a> by Mohammed Le Doze and
contributors, which is made available here under the
<a href="https://opendatacommons.org/licenses/odbl/1-0/">Open Database License</a>.</small></p>
</html>
"""


def first_page(surface: pf.Surface, mounts: Mapping[str, str], *, prefix: str) -> str:
    """Write the first page as HTML.

    Args:
        surface: What is mounted.
        mounts: Where each part is, and what it is.
        prefix: What the HTTP paths start with.
    """
    return _PAGE.format(
        mounts="\n".join(
            f"<tr><td><code>{escape(place)}</code><td>{escape(what)}</tr>"
            for place, what in mounts.items()
        ),
        operations="\n".join(_operation(operation, prefix) for operation in surface.operations),
    )


def _operation(operation: Any, prefix: str) -> str:
    tool = pf.tool_surface_output_schema(operation)
    cells = (
        escape(operation.desc),
        f"<code>{operation.method} {escape(prefix + operation.path)}</code>",
        f"<code>{_type(operation.output)}</code>",
        f"<code>{escape(operation.tool_name)}</code>",
        f"<code>{_type(tool)}</code>{_defaults(operation)}",
    )
    return f"<tr><td>{'<td>'.join(cells)}</tr>"


def _defaults(operation: Any) -> str:
    if operation.view is None or not operation.view.defaults:
        return ""
    defaults = escape(json.dumps(dict(operation.view.defaults)))
    return f"<br><small>by default with <code>{defaults}</code></small>"


def _type(schema: Any) -> str:
    return escape(schema.name.replace("atlas.models.", ""))
