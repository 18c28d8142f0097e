internal import Updates

/// The device that a browser says it runs on.
///
/// Safari on an iPad, and an iPhone that asks for desktop sites, say that they are a Mac, and an Android tablet
/// that does says Linux. Nothing in such a request tells the two apart, so that a page for them has both, and
/// shows by whether there is a touch screen which one counts.
enum InstallDevice: Hashable {
  case iOS
  case android
  /// Or an iPad.
  case mac
  case windows
  /// Or an Android tablet.
  case linux
  /// A telephone or a set that runs no file of any release.
  case otherPhone
  case unknown

  /// - Parameter agent: The header `User-Agent`.
  init(userAgent agent: String?) {
    let agent = agent?.lowercased() ?? ""
    func says(_ words: String...) -> Bool { words.contains { agent.contains($0) } }
    // Some of these name Android and the iPhone as well.
    self =
      if says("windows phone", "iemobile", "kaios", "tizen", "web0s", "symbian", "blackberry") {
        .otherPhone
      } else if says("iphone", "ipad", "ipod") {
        .iOS
      } else if says("android") {
        .android
      } else if says("macintosh", "mac os x") {
        .mac
      } else if says("windows") {
        .windows
      } else if says("linux", "x11", "cros") {
        .linux
      } else {
        .unknown
      }
  }

  /// The system whose releases come first on the page, if it has one.
  var platform: ArtefactPlatform? {
    switch self {
    case .iOS: .iOS
    case .android: .android
    case .mac: .macOS
    case .windows: .windows
    case .linux: .other
    case .otherPhone, .unknown: nil
    }
  }

  /// The system that it has if it is a tablet in disguise.
  var disguised: ArtefactPlatform? {
    switch self {
    case .mac: .iOS
    case .linux: .android
    default: nil
    }
  }

  /// Whether it is held in a hand, so that files for other systems are of no use on it.
  var isHandheld: Bool { [.iOS, .android, .otherPhone].contains(self) }

  /// The systems whose releases the page shows, the most likely one first.
  var shown: [ArtefactPlatform] {
    if isHandheld { return platform.map { [$0] } ?? [] }
    let first = [platform, disguised].compactMap { $0 }
    return first + [.iOS, .android, .macOS, .windows, .other].filter { !first.contains($0) }
  }
}
