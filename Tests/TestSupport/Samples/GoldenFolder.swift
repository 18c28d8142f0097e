internal import Bytes
import Glibc

/// Expected outputs in a folder beside the tests, reviewed by eye; `make golden` renews them.
public struct GoldenFolder: Sendable {
  public let path: String

  /// `Golden` beside the file that calls this.
  public init(beside file: String = #filePath) {
    path =
      file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/") + "/Golden"
  }

  /// The folder `name` in this one.
  public init(_ name: String, in folder: GoldenFolder) { path = "\(folder.path)/\(name)" }

  /// Whether expected outputs are written instead of compared.
  public static let isRenewing = getenv("MAYDAY_RENEW_GOLDEN") != nil

  /// The first line of `text` that differs from the file `name`; `nil` if they are equal.
  public func difference(of text: String, from name: String) -> String? {
    let file = "\(path)/\(name)"
    if Self.isRenewing { return write(text, to: file) ? nil : "cannot write \(file)" }
    guard let expected = try? ByteView(reading: file, limit: 1 << 26).text else {
      return "\(file) is missing"
    }
    if text == expected { return nil }
    let (new, old) = (Self.lines(text), Self.lines(expected))
    let same = zip(new, old).prefix { $0 == $1 }.count
    func line(_ lines: [Substring]) -> String {
      same < lines.count ? "\"\(lines[same])\"" : "the end"
    }
    return "\(file):\(same + 1): \(line(new)) instead of \(line(old))"
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private func write(_ text: String, to path: String) -> Bool {
    let parts = path.split(separator: "/")
    for end in 1..<parts.count { mkdir("/" + parts[..<end].joined(separator: "/"), 0o755) }
    guard let file = fopen(path, "w") else { return false }
    let bytes = Array(text.utf8)
    let count = fwrite(bytes, 1, bytes.count, file)
    return fclose(file) == 0 && count == bytes.count
  }
}
