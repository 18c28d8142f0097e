/// How a report found its group.
public enum MatchReason: Hashable, Sendable {
  /// The report matched no group, and opened this one.
  case new
  /// The group had its key.
  case key
  /// The group had its key as an alternative one: existing reports could be read that way.
  case reading
  /// The group had one of its alternative keys.
  case alternative(key: String)
  /// Debug files that arrived late changed its key, and its group took over the new key.
  case followed
  /// Debug files that arrived late changed its key, and it moved here from the group of that name.
  case moved(from: String)
  /// Debug files that arrived late changed its key, and its group was merged with this one.
  case merged(from: String)
  /// Its key is linked by likeness with one that the group had; the text gives the details.
  case linked(String)
  /// A way that this version of the program does not know.
  case unknown

  /// Returns the match reason for ``word`` and ``detail``; `unknown` for another word.
  public init(word: String, detail: String?) {
    switch word {
    case "new": self = .new
    case "key": self = .key
    case "reading": self = .reading
    case "alternative": self = .alternative(key: detail ?? "")
    case "followed": self = .followed
    case "moved": self = .moved(from: detail ?? "")
    case "merged": self = .merged(from: detail ?? "")
    case "linked": self = .linked(detail ?? "")
    default: self = .unknown
    }
  }

  /// The word in the database and in JSON.
  public var word: String {
    switch self {
    case .new: "new"
    case .key: "key"
    case .reading: "reading"
    case .alternative: "alternative"
    case .followed: "followed"
    case .moved: "moved"
    case .merged: "merged"
    case .linked: "linked"
    case .unknown: "unknown"
    }
  }

  /// The key, the group or the text that belongs to the word.
  public var detail: String? {
    switch self {
    case .alternative(let key): key
    case .moved(let group), .merged(let group): group
    case .linked(let words): words
    case .new, .key, .reading, .followed, .unknown: nil
    }
  }
}
