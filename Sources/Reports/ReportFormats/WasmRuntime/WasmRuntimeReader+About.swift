extension WasmRuntimeReader {
  static let about = FormatDescription(
    title: "Wasmtime", family: .nativeCode, symbols: .resolved, since: "0.1.0",
    introduction:
      "Traps of WebAssembly outside a browser. Those of Wasmer are read as [JavaScript's](#javascript-javascript).",
    facts: [
      ("recognised by", "`wasm backtrace:`"),
      ("reason", "the trap"),
      ("stacks", "one thread: offsets into the module, with names and places as printed"),
      (
        "images",
        """
        the modules; one without a name is called `wasm`, and the only module among the debug files \
        explains it
        """
      ),
      ("positions", "the first `exact`, all others `return`"),
    ])
}
