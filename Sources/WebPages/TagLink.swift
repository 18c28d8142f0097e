internal import CrashService
internal import WebServer

/// The address of the list of groups that have a value.
enum TagLink {
  /// Longer values are searched for by nobody, in bytes.
  private static let longest = 200

  /// - Parameter field: Of the language of queries: `tag.locale`.
  /// - Returns: `nil` where the query language cannot ask for it.
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
