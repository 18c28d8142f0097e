/// Source files that are not the app's own, wherever their code was compiled into.
enum SourceFileV1 {
  /// The rule by which the function in `file` is not the app's, or `nil`.
  static func outsideRule(_ file: String) -> String? {
    let bytes = NameBytes(file.utf8.prefix(LimitsV1.nameBytes))
    if bytes.has("/rustc/") { return "source file of Rust's library" }
    if bytes.has("/usr/include/") { return "source file of a system header" }
    if bytes.has("node:") || bytes.has("internal/") { return "source file of Node" }
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "/") || bytes[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      index += 1
      switch bytes.at(index) {
      case UInt8(ascii: "."):
        if bytes.has(".cargo/registry/", at: index) || bytes.has(".cargo/git/", at: index) {
          return "source file of a dependency of Cargo"
        }
      case UInt8(ascii: "n"):
        if bytes.has("node_modules/", at: index) { return "source file of a dependency of Node" }
      case UInt8(ascii: "i"):
        if bytes.has("include/c++/", at: index) { return "source file of C++'s library" }
      case UInt8(ascii: "l"):
        if bytes.has("lib/rustlib/", at: index) { return "source file of Rust's library" }
      case UInt8(ascii: "c"):
        if bytes.has("compiler-rt/lib/", at: index) { return "source file of a sanitizer" }
      case UInt8(ascii: "s"):
        if bytes.has("sysdeps/", at: index) { return "source file of the C library" }
      default: break
      }
    }
    return nil
  }
}
