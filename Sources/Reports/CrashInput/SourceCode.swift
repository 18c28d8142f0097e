internal import Bytes

/// Texts of programs, which contain the words of crash reports where they print or read them.
enum SourceCode {
  /// The extensions that only source code has, in lower case.
  private static let extensions: Set<String> = [
    "bash", "bat", "c", "cc", "cmake", "cmd", "cpp", "cs", "cxx", "dart", "ex", "exs", "fish", "fs",
    "go", "gradle", "groovy", "h", "hh", "hpp", "hs", "hxx", "java", "js", "jsx", "kt", "kts",
    "lua",
    "m", "mk", "ml", "mm", "nim", "php", "pl", "pm", "ps1", "py", "pyi", "rb", "rs", "scala", "sh",
    "swift", "ts", "tsx", "vb", "zig", "zsh",
  ]

  /// Whether a file's name is one of source code. A crash report that has such a name is read if it is named
  /// itself, and not only its folder.
  static func hasName(of path: [UInt8]) -> Bool {
    guard let dot = path.lastIndex(of: UInt8(ascii: ".")), dot > path.startIndex else {
      return false
    }
    let ending = path[path.index(after: dot)...]
    guard ending.count <= 8, path[path.index(before: dot)] != UInt8(ascii: "/") else {
      return false
    }
    return extensions.contains(String(decoding: ending, as: UTF8.self).lowercased())
  }

  /// Whether a file that begins with `head` is a script for an interpreter: `#!/bin/sh`.
  static func isScript(_ head: ByteView) -> Bool {
    guard head.count > 2, head[0] == UInt8(ascii: "#"), head[1] == UInt8(ascii: "!") else {
      return false
    }
    return head[2] == UInt8(ascii: "/") || head[2] == UInt8(ascii: " ")
  }
}
