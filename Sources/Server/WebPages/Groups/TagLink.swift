internal import CrashService
internal import ServerCore

/// Links to the list of groups with a value.
enum TagLink {
  /// The maximum size of a value with a link, in bytes.
  private static let longest = 200

  /// - Parameters:
  ///   - field: A field of the query language: `tag.locale`.
  ///   - app: The app of the groups; `nil` for all apps.
  /// - Returns: `nil` if the query language cannot express it.
  static func to(field: String, value: String, app: String?) -> String? {
    let isPlain = field.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
      default: false
      }
    }
    guard isPlain, !value.isEmpty, value.utf8.count <= longest, !value.contains(where: \.isNewline)
    else { return nil }
    var conditions = ["\(field):\(value.inQuery)"]
    if let app, field != "app" { conditions.insert(QueryWords.condition("app", app), at: 0) }
    return "/?status=all&q=" + conditions.joined(separator: " ").inAddress
  }
}
