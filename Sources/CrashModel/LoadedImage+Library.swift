extension LoadedImage {
  /// Whether its name or path is a library's, so that it cannot be the program that crashed.
  public var isLibrary: Bool {
    Self.isLibrary(named: name) || path.map { Self.isLibrary(named: $0) } ?? false
  }

  /// Whether a file name, or a path, is that of a library, a loader or a kernel's page.
  public static func isLibrary(named name: String) -> Bool {
    let lower = name.lowercased()
    let file = lower.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? lower
    return lower.contains(".framework/") || file.contains(".so.")
      || [".so", ".dylib", ".dll", ".drv", ".ocx", ".sys", ".bundle"].contains(
        where: file.hasSuffix)
      || ["[", "ld-linux", "ld-musl", "linux-gate", "linux-vdso"].contains(where: file.hasPrefix)
      || file == "dyld" || file == "dyld_sim" || file == "vdso"
  }
}
