//! Tells the crate which interpreter it is built for.

fn main() {
    println!("cargo:rerun-if-changed=rust/build.rs");
    pyo3_build_config::use_pyo3_cfgs();
    pyo3_build_config::add_extension_module_link_args();
    // `cargo test` runs outside an interpreter and has to find the shared library itself.
    pyo3_build_config::add_libpython_rpath_link_args();
}
