import Bytes
import CommandSupport
import Files
import Glibc
import Terminal

/// The tokens that `mayday login` keeps for servers: a file that only its owner reads, with a line for each
/// server, its address and its token.
struct StoredTokens {
  /// The path of the file; `nil` without a home folder.
  let path: String?

  /// The largest file that is read, in bytes.
  private static let limit = 1 << 20

  /// Source of the default: the XDG Base Directory Specification.
  init() {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    if let folder = variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      path = folder + "/mayday/tokens"
    } else {
      path = variable("HOME").map { $0 + "/.config/mayday/tokens" }
    }
  }

  /// The token for a server; `nil` if there is none, or the file cannot be read.
  func token(for server: String) -> String? {
    let server = Self.canonical(server)
    return (try? lines())?.first { $0.server == server }?.token
  }

  /// Stores the token for a server, in place of a former one; `nil` deletes it.
  ///
  /// - Returns: The former token.
  /// - Throws: `FileError`, ``CommandFailure`` without a home folder.
  @discardableResult
  func set(_ token: String?, for server: String) throws -> String? {
    guard let path else { throw CommandFailure("there is no folder for the token: set $HOME") }
    let server = Self.canonical(server)
    var lines = try lines()
    let former = lines.first { $0.server == server }?.token
    lines.removeAll { $0.server == server }
    if let token { lines.append((server, token)) }
    let text = lines.map { "\($0.server) \($0.token)\n" }.joined()
    try Folder.makeAll(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    try OutputFile.write(Array(text.utf8), to: path)
    return former
  }

  private func lines() throws -> [(server: String, token: String)] {
    guard let path, access(path, F_OK) == 0 else { return [] }
    return try ByteView(reading: path, limit: Self.limit).text.split(separator: "\n").compactMap {
      let words = $0.split(separator: " ")
      return words.count == 2 ? (String(words[0]), String(words[1])) : nil
    }
  }

  /// Hosts are the same in any case; the slash at the end of an address means nothing.
  private static func canonical(_ server: String) -> String {
    let text = String(server.reversed().drop { $0 == "/" }.reversed())
    let host = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard host.count == 3 else { return text }
    let name = host[2].prefix { $0 != "/" }
    return "\(host[0].lowercased())//\(name.lowercased())\(host[2].dropFirst(name.count))"
  }
}
