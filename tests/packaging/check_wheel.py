"""Say what is in the only wheel of a folder, and refuse one that can't be published.

Usage: python tests/packaging/check_wheel.py FOLDER PLATFORM, where PLATFORM is the start of the
platform tag that the wheel must carry, `manylinux2014` say.
"""

import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

from packaging.utils import parse_wheel_filename

ROOT = Path(__file__).parents[2]
PROMISED = ("polyface/__init__.py", "polyface/_core.pyi", "polyface/py.typed", "licenses/LICENSE")


def find_faults(wheel: Path, platform: str) -> list[str]:
    """List what is wrong with a wheel, one sentence each."""
    name, version, _, tags = parse_wheel_filename(wheel.name)
    names = ZipFile(wheel).namelist()
    declared = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["package"]["version"]
    interpreter = f"cp{sys.version_info.major}{sys.version_info.minor}"
    native = [name for name in names if name.endswith((".so", ".pyd"))]
    faults = []
    if name != "polyface" or str(version) != declared:
        faults.append(f"it is `{name} {version}`, not `polyface {declared}`.")
    if not any(tag.platform.startswith(platform) for tag in tags):
        faults.append(f"no tag starts with `{platform}`.")
    if any((tag.interpreter, tag.abi) != (interpreter, interpreter) for tag in tags):
        faults.append(f"a tag is for another interpreter than `{interpreter}`.")
    if len(native) != 1:
        faults.append(f"it holds {len(native)} native modules {native}, not one.")
    faults += [
        f"`{promised}` is missing."
        for promised in PROMISED
        if not any(name.endswith(promised) for name in names)
    ]
    return faults


def main(folder: str, platform: str) -> str | None:
    """Print size and tags; return the faults as an exit message, or None."""
    wheels = sorted(Path(folder).glob("*.whl"))
    if len(wheels) != 1:
        return f"`{folder}` holds {len(wheels)} wheels, not one."
    [wheel] = wheels
    tags = sorted(str(tag) for tag in parse_wheel_filename(wheel.name)[3])
    print(f"{wheel.name}: {wheel.stat().st_size / 1024:.0f} KiB, tags {', '.join(tags)}")
    faults = find_faults(wheel, platform)
    return "\n".join(f"{wheel.name}: {fault}" for fault in faults) or None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
