import Glibc

/// A folder for one test, gone when the test is through.
public final class ScratchFolder: Sendable {
  public let path: String

  public init() {
    var template = Array("/tmp/mayday-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no folder in /tmp") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The path of `name` in the folder.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The names in a folder, sorted.
  ///
  /// - Throws: If it does not exist.
  public func names(_ name: String = "") throws -> [String] {
    try FolderListing.names(in: path(name))
  }

  /// Creates a file, and its parent folders.
  @discardableResult
  public func write(_ name: String, _ bytes: some Collection<UInt8>) -> String {
    let parts = name.split(separator: "/")
    for end in 1..<max(parts.count, 1) {
      mkdir(path(parts[..<end].joined(separator: "/")), 0o755)
    }
    let bytes = Array(bytes)
    let file = open(path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { fatalError("cannot write \(path(name))") }
    defer { close(file) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(file, $0.baseAddress?.advanced(by: done), bytes.count - done)
      }
      guard count > 0 else { fatalError("cannot write \(path(name))") }
      done += count
    }
    return path(name)
  }

  deinit { removeTree(path) }
}

private func removeTree(_ path: String) {
  if unlink(path) == 0 { return }
  for name in (try? FolderListing.names(in: path)) ?? [] { removeTree("\(path)/\(name)") }
  rmdir(path)
}
