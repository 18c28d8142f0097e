import Glibc

/// A program of another project that answers the same questions.
public enum OtherTool {
  /// The path of `name`: beside the Swift compiler, or otherwise in `$PATH`.
  ///
  /// A distribution's copy may be years older than the toolchain's.
  public static func path(_ name: String) -> String? {
    let folders = getenv("PATH").map { String(cString: $0) }?.split(separator: ":") ?? []
    let beside = folders.compactMap { folder -> String? in
      guard let real = realpath("\(folder)/swift", nil) else { return nil }
      defer { free(real) }
      let parts = String(cString: real).split(separator: "/", omittingEmptySubsequences: false)
      return parts.dropLast().joined(separator: "/")
    }
    let candidates = beside.map { "\($0)/\(name)" } + folders.map { "\($0)/\(name)" }
    return candidates.first { access($0, X_OK) == 0 }
  }

  /// Output of a shell command; its words must need no quoting.
  public static func output(of command: String) -> String? {
    guard let stream = popen(command, "r") else { return nil }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, stream)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    guard pclose(stream) == 0 else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
