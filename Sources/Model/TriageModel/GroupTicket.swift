/// An issue in a tracker that is about a group.
public struct GroupTicket: Hashable, Sendable {
  public enum State: String, CaseIterable, Hashable, Sendable {
    case open, closed
  }

  /// The address of its page, as ``isURL(_:)`` accepts it.
  public var url: String
  public var state: State

  public init(url: String, state: State = .open) {
    self.url = url
    self.state = state
  }

  /// The maximum length of an address in bytes.
  public static let longestURL = 2_000

  /// Whether a text is the address of a page of the web that is safe in a link: with a host, and without a user,
  /// blanks or other characters that an address encodes.
  public static func isURL(_ text: String) -> Bool {
    guard text.utf8.count <= longestURL,
      let scheme = ["https://", "http://"].first(where: text.hasPrefix)
    else { return false }
    let host = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    return !host.isEmpty && !host.contains("@")
      && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && !#""<>\^`|"#.utf8.contains($0) }
  }
}
