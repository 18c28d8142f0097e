extension LoadedImage {
  /// Whether its name or path is a library's, so that it cannot be the program that crashed.
  public var isLibrary: Bool {
    Self.isLibrary(named: name) || path.map { Self.isLibrary(named: $0) } ?? false
  }

  /// Whether a file name, or a path, is that of a library, a loader or a kernel's page.
  ///
  /// Case does not matter. Every image and many frames are asked, so this compares bytes.
  public static func isLibrary(named name: String) -> Bool {
    let path = name.utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
    func isSeparator(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
    }
    var file = path[...]
    if let last = path.lastIndex(where: { !isSeparator($0) }) {
      file = path[...last]
      if let separator = file.lastIndex(where: isSeparator) { file = file[(separator + 1)...] }
    }
    return LibraryName.endings.contains {
      file.count >= $0.count && file.suffix($0.count) == $0[...]
    }
      || LibraryName.beginnings.contains { file.starts(with: $0) }
      || LibraryName.whole.contains { file == $0[...] }
      || file.holds(LibraryName.versioned) || path[...].holds(LibraryName.framework)
  }
}

private enum LibraryName {
  static let endings = [".so", ".dylib", ".dll", ".drv", ".ocx", ".sys", ".bundle"].map(bytes)
  static let beginnings = ["[", "ld-linux", "ld-musl", "linux-gate", "linux-vdso"].map(bytes)
  static let whole = ["dyld", "dyld_sim", "vdso"].map(bytes)
  /// In the name of a file: `libc.so.6`.
  static let versioned = bytes(".so.")
  /// In a path: `Tern.framework/Versions/A/Tern`.
  static let framework = bytes(".framework/")

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}

extension ArraySlice<UInt8> {
  fileprivate func holds(_ text: [UInt8]) -> Bool {
    guard count >= text.count else { return false }
    return (startIndex...endIndex - text.count).contains { self[$0...].starts(with: text) }
  }
}
