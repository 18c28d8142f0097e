internal import HTTP
internal import Rendering

/// The colour theme: light, dark or the system's.
enum Theme: String, CaseIterable, Sendable {
  case system, light, dark

  /// The theme that the button switches to.
  var next: Theme {
    switch self {
    case .system: .dark
    case .dark: .light
    case .light: .system
    }
  }

  /// The current theme, and the one that the button switches to.
  var words: String {
    func name(_ theme: Theme) -> String { theme == .system ? "system" : theme.rawValue }
    return "Theme: \(name(self)). Switch to \(name(next))"
  }

  private static let cookie = "mayday-theme"

  init(_ head: RequestHead) {
    let values = head.headers.values(of: "Cookie").flatMap { $0.split(separator: ";") }
    let own = values.map { $0.drop { $0 == " " } }.first { $0.hasPrefix(Self.cookie + "=") }
    self = own.flatMap { Theme(rawValue: String($0.dropFirst(Self.cookie.count + 1))) } ?? .system
  }

  /// The header field that stores it for a year.
  func field(for head: RequestHead) -> String {
    "\(Self.cookie)=\(rawValue); Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"
      + (head.isSecure ? "; Secure" : "")
  }

  /// The attribute of the `html` element.
  var attribute: HTML { self == .system ? .none : " data-theme=\"\(rawValue)\"" }
}
