/// How a report found its group.
public enum FoundBy: Hashable, Sendable {
  /// Nothing fitted, and the report opened the group.
  case new
  /// The group had its key.
  case key
  /// The group had its key as an alternative one: reports that were there could be read that way.
  case reading
  /// The group had one of its alternative keys.
  case alternative(key: String)
  /// Debug files that came late changed its key, and its group took the new key over.
  case followed
  /// Debug files that came late changed its key, and it moved here from the group of that name.
  case moved(from: String)
  /// Debug files that came late changed its key, and its group became one with this.
  case merged(from: String)
  /// Its key is linked by likeness with one that the group had, as the words say.
  case linked(String)
  /// Nobody wrote it down.
  case unknown

  /// The way that ``word`` and ``detail`` tell of; `unknown` for another word.
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

  /// The word that stands in the database and in JSON.
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

  /// The key or the group that belongs to the word.
  public var detail: String? {
    switch self {
    case .alternative(let key): key
    case .moved(let group), .merged(let group): group
    case .linked(let words): words
    case .new, .key, .reading, .followed, .unknown: nil
    }
  }
}
