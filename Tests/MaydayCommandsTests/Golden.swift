import Glibc
import Testing

/// Files that hold what is to be printed, reviewed by eye; `MAYDAY_RENEW_GOLDEN=1` writes them anew.
enum Golden {
  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    .joined(separator: "/") + "/Golden"

  static func expect(
    _ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let path = folder + "/" + name
    if getenv("MAYDAY_RENEW_GOLDEN") != nil {
      mkdir(folder, 0o755)
      if let slash = path.lastIndex(of: "/") { mkdir(String(path[..<slash]), 0o755) }
      guard let file = fopen(path, "w") else {
        Issue.record("cannot write \(path)", sourceLocation: sourceLocation)
        return
      }
      defer { fclose(file) }
      let bytes = Array(text.utf8)
      fwrite(bytes, 1, bytes.count, file)
      return
    }
    guard let expected = read(path) else {
      Issue.record("\(path) is missing", sourceLocation: sourceLocation)
      return
    }
    let place = zip(text.split(separator: "\n"), expected.split(separator: "\n"))
      .first { $0 != $1 }
    #expect(
      text == expected, "first difference: \(String(describing: place))",
      sourceLocation: sourceLocation)
  }

  private static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
