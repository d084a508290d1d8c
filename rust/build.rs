//! Tells the crate which interpreter it is built for.

/// The minor versions of CPython 3 whose headers `layout.rs` was compared with.
const KNOWN_LAYOUTS: std::ops::RangeInclusive<u8> = 11..=13;

fn main() {
    println!("cargo:rerun-if-changed=rust/build.rs");
    pyo3_build_config::use_pyo3_cfgs();
    pyo3_build_config::add_extension_module_link_args();
    // `cargo test` runs outside an interpreter and has to find the shared library itself.
    pyo3_build_config::add_libpython_rpath_link_args();

    println!("cargo:rustc-check-cfg=cfg(known_layouts)");
    println!("cargo:rerun-if-env-changed=POLYFACE_PUBLIC_API");
    let version = pyo3_build_config::get().version();
    let is_wide = std::env::var("CARGO_CFG_TARGET_POINTER_WIDTH").is_ok_and(|width| width == "64");
    let is_known = version.major == 3 && KNOWN_LAYOUTS.contains(&version.minor);
    // With POLYFACE_PUBLIC_API=1 any interpreter is treated as one that isn't known.
    if is_known && is_wide && std::env::var_os("POLYFACE_PUBLIC_API").is_none() {
        println!("cargo:rustc-cfg=known_layouts");
    }
}
