/// Source files that are not the app's own, whichever image their code was compiled into.
enum SourceOwner {
  /// The rule by which `function` in `file` is not the app's, or `nil`.
  static func outsideRule(_ file: String, of function: String? = nil) -> String? {
    let bytes = NameBytes(file.utf8.prefix(SigningLimits.nameBytes))
    if bytes.has("/rustc/") { return "source file of Rust's library" }
    if bytes.has("/usr/include/") { return "source file of a system header" }
    if bytes.has("node:") || bytes.has("internal/") { return "source file of Node" }
    if let rule = goRule(bytes, function) ?? pythonRule(bytes) { return rule }
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

  /// Packages of Python: its library, what was installed, and what is built into it.
  private static func pythonRule(_ file: NameBytes) -> String? {
    if file.has("<frozen ") { return "source file of Python's library" }
    guard file.ends(with: ".py") || file.ends(with: ".pyx") else { return nil }
    for folder: StaticString in ["site-packages", "dist-packages"] where file.find(folder) != nil {
      return "source file of a dependency of Python"
    }
    // `/usr/lib/python3.11/threading.py`, `C:\\Python311\\Lib\\threading.py`
    for folder: StaticString in [
      "/lib/python", "/lib64/python", "\\Lib\\", "/lib/pypy", "/lib-python/",
    ] {
      guard let found = file.find(folder) else { continue }
      let isWindows = file.at(found) == UInt8(ascii: "\\")
      if !isWindows || file.find("\\Python") != nil || file.find("\\python") != nil {
        return "source file of Python's library"
      }
    }
    return nil
  }

  /// A function of Python with its module: alone, `abort` or `run` would be ambiguous.
  static func pythonName(_ function: String, _ file: String) -> String {
    guard !function.utf8.contains(UInt8(ascii: ".")) else { return function }
    let start = file.utf8.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    let name = start.map { file[file.utf8.index(after: $0)...] } ?? file[...]
    return "\(name.dropLast(3)).\(function)"
  }

  /// Whether the function matters too.
  static func isOfGo(_ file: String) -> Bool { file.hasSuffix(".go") || file.hasSuffix(".s") }

  /// Packages of Go's library, and modules and copies of dependencies.
  private static func goRule(_ file: NameBytes, _ function: String?) -> String? {
    guard file.ends(with: ".go") || file.ends(with: ".s") else { return nil }
    if file.find("/pkg/mod/") != nil || file.find("/vendor/") != nil
      || file.find("@v").map({ file.at($0 + 2).isDigit }) ?? false
    {
      return "source file of a dependency of Go"
    }
    guard let function else { return nil }
    let name = function.utf8.prefix(SigningLimits.nameBytes)
    let root = name.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ".") }
    guard root.endIndex < name.endIndex, library.contains(Substring(root)) else { return nil }
    // Any other path begins with the name of a host: `log.example.com/desk.Open`.
    let path = name.prefix { $0 != UInt8(ascii: "/") }
    guard path.endIndex == name.endIndex || root.endIndex == path.endIndex else { return nil }
    return "source file of Go's library"
  }

  /// The first parts of the paths of the packages of Go's library.
  ///
  /// Source: `go list std` of Go 1.24.
  private static let library: Set<Substring> = [
    "archive", "bufio", "bytes", "cmp", "compress", "container", "context", "crypto", "database",
    "debug", "embed", "encoding", "errors", "expvar", "flag", "fmt", "go", "hash", "html", "image",
    "index", "internal", "io", "iter", "log", "maps", "math", "mime", "net", "os", "path", "plugin",
    "reflect", "regexp", "runtime", "slices", "sort", "strconv", "strings", "structs", "sync",
    "syscall", "testing", "text", "time", "unicode", "unique", "unsafe", "weak",
  ]
}
