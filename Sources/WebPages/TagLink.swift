internal import CrashService
internal import WebServer

/// Links to the list of groups with a value.
enum TagLink {
  /// The maximum size of a value with a link, in bytes.
  private static let longest = 200

  /// - Parameter field: A query field such as `tag.locale`.
  /// - Returns: `nil` if the query language cannot express it.
  static func to(field: String, value: String) -> String? {
    let isPlain = field.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
      default: false
      }
    }
    guard isPlain, !value.isEmpty, value.utf8.count <= longest, !value.contains(where: \.isNewline)
    else { return nil }
    return "/?status=all&q=" + "\(field):\(value.inQuery)".inAddress
  }
}
