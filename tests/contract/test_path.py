import pytest

from polyface.contract.path import join_path, read_path
from tests.contract.faults import faults_of

SEGMENT = "a segment is text or one capture such as `{name}` or `{name:path}`."


@pytest.mark.parametrize(
    ("text", "captures"),
    [
        ("", {}),
        ("/", {}),
        ("/people", {}),
        ("/a/b-c.d~e", {}),
        ("/{person_id}", {"person_id": "str"}),
        ("/{n:int}/x/{when:uuid}", {"n": "int", "when": "uuid"}),
        ("/files/{rest:path}", {"rest": "path"}),
    ],
)
def test_a_path_tells_its_captures_in_order(text, captures):
    template = read_path(text, place="`GET x`")
    assert template.captures == captures
    assert list(template.captures) == list(captures)
    assert template.text == ("" if text == "/" else text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("people", "the path `people` must start with `/`."),
        ("/people/", f"the path `/people/` has the segment ``; {SEGMENT}"),
        ("//people", f"the path `//people` has the segment ``; {SEGMENT}"),
        ("/..", f"the path `/..` has the segment `..`; {SEGMENT}"),
        ("/a{id}", f"the path `/a{{id}}` has the segment `a{{id}}`; {SEGMENT}"),
        ("/{}", f"the path `/{{}}` has the segment `{{}}`; {SEGMENT}"),
        ("/{1st}", f"the path `/{{1st}}` has the segment `{{1st}}`; {SEGMENT}"),
        ("/a?b", f"the path `/a?b` has the segment `a?b`; {SEGMENT}"),
        ("/a b", f"the path `/a b` has the segment `a b`; {SEGMENT}"),
        ("/{a}/{a}", "the path `/{a}/{a}` captures `a` twice."),
        (
            "/{a:slug}",
            "the path `/{a:slug}` uses the convertor `slug`; it takes float, int, path, str, uuid.",
        ),
        (
            "/{a:path}/b",
            (
                "the path `/{a:path}/b` captures `a:path` before its end; "
                "what takes the rest of a path must be last."
            ),
        ),
        (None, "the path is text, not `None`."),
    ],
)
def test_an_odd_path_is_refused(text, fault):
    assert faults_of(lambda: read_path(text, place="`GET x`")) == [f"`GET x`: {fault}"]


@pytest.mark.parametrize(
    ("prefix", "template", "whole"),
    [
        ("people", "", "/people"),
        ("people", "/{id}", "/people/{id}"),
        ("admin/people", "/all", "/admin/people/all"),
        ("", "", "/"),
        ("", "/x", "/x"),
    ],
)
def test_prefix_and_path_join_without_a_trailing_slash(prefix, template, whole):
    assert join_path(prefix, template) == whole
