"""One contract, many faces: HTTP, MCP tools and in-process calls from one declaration.

Transports are packages of their own and are imported by name: `polyface.http`, `polyface.mcp`.
"""

from importlib.metadata import version as _version

from .contract.build import build_contract
from .contract.contract import Contract
from .contract.endpoint import Endpoint
from .contract.error_set import ErrorDefinition, ErrorSet, define_errors
from .contract.expose import Transport
from .contract.kind import FilePart, Multipart, RawBody, RawResponse, ResponseMetadata, Stream
from .contract.policy import ContractPolicy
from .contract.projection import ProjectionCall
from .contract.tool import McpOptions, ToolAnnotations, ToolOptions, UiResource
from .contract.verb import delete, get, head, patch, post, put
from .contract.view import with_tool_view
from .errors import (
    ERROR_CODES,
    DeclarationError,
    MissingExtraError,
    OperationError,
    PolyfaceError,
    conflict,
    forbidden,
    not_found,
    unauthorized,
)
from .execution.answer import AnswerError, AnswerPlan
from .execution.extension import Extension
from .execution.hooks import Hooks, StripReport, ToolOutcome
from .execution.limits import Limits
from .execution.strip_log import log_output_strip
from .invoker import ToolInvoker, tool_invoker
from .operations.call import Call
from .operations.implement import Rows, Service, implement
from .operations.operation import tool_surface_output_schema
from .operations.presenter import Presentation, Presenters
from .operations.runtime_tool import Identity, RuntimeTool, runtime_tool
from .operations.runtime_tool_factory import RuntimeToolFactory, runtime_tool_factory
from .schema.digest import canonical_json, digest
from .schema.strip import StripEntry
from .surface.listing import (
    SourceSummary,
    ToolName,
    TransportSummary,
    list_tool_names,
    summarize_transports,
)
from .surface.manifest import (
    CatalogEntry,
    ManifestEntry,
    build_tool_manifest,
    describe_tool_catalog,
)
from .surface.presentation import PresentationOptions
from .surface.snapshot import surface_snapshot
from .surface.stamp import CatalogStamp, read_catalog_stamp
from .surface.surface import Surface

__all__ = [
    "ERROR_CODES",
    "AnswerError",
    "AnswerPlan",
    "Call",
    "Contract",
    "ContractPolicy",
    "ErrorDefinition",
    "ErrorSet",
    "DeclarationError",
    "UiResource",
    "McpOptions",
    "Extension",
    "read_catalog_stamp",
    "CatalogStamp",
    "surface_snapshot",
    "describe_tool_catalog",
    "build_tool_manifest",
    "ManifestEntry",
    "CatalogEntry",
    "summarize_transports",
    "list_tool_names",
    "TransportSummary",
    "ToolName",
    "SourceSummary",
    "runtime_tool",
    "RuntimeTool",
    "runtime_tool_factory",
    "RuntimeToolFactory",
    "PresentationOptions",
    "log_output_strip",
    "Identity",
    "Presenters",
    "Presentation",
    "Stream",
    "ResponseMetadata",
    "RawResponse",
    "RawBody",
    "Multipart",
    "FilePart",
    "Endpoint",
    "Hooks",
    "Limits",
    "MissingExtraError",
    "OperationError",
    "PolyfaceError",
    "ProjectionCall",
    "Rows",
    "Service",
    "StripEntry",
    "StripReport",
    "Surface",
    "ToolAnnotations",
    "ToolInvoker",
    "ToolOptions",
    "ToolOutcome",
    "Transport",
    "build_contract",
    "canonical_json",
    "conflict",
    "define_errors",
    "delete",
    "digest",
    "forbidden",
    "get",
    "head",
    "implement",
    "not_found",
    "patch",
    "post",
    "put",
    "tool_invoker",
    "tool_surface_output_schema",
    "unauthorized",
    "with_tool_view",
]

__version__ = _version("polyface")
