internal import Identifiers

/// The newest systems that reports of an app named.
public struct SeenSystems: Hashable, Sendable {
  /// A version; for Android the name of a release, such as `13`.
  public private(set) var newest: [ArtefactPlatform: String] = [:]

  /// - Parameter names: Systems as reports name them: `iOS 17.2.1`, `Android 13`.
  public init(_ names: some Sequence<String> = []) {
    for name in names {
      guard let space = name.lastIndex(of: " ") else { continue }
      let version = String(name[name.index(after: space)...])
      guard let platform = Self.platform(of: name[..<space].lowercased()),
        version.utf8.first.map({ (48...57).contains($0) }) == true
      else { continue }
      if let known = newest[platform], !VersionOrder.precedes(known, version) { continue }
      newest[platform] = version
    }
  }

  private static func platform(of name: String) -> ArtefactPlatform? {
    switch name {
    case "ios", "ipados", "iphone os": .iOS
    case "android": .android
    case "macos", "mac os x", "os x": .macOS
    default: nil
    }
  }

  /// Returns the newest system if an artefact requires a later one; `nil` where some device may have it.
  func tooOld(for artefact: Artefact) -> String? {
    guard let newest = newest[artefact.platform], let wanted = artefact.package.minimumOS else {
      return nil
    }
    guard artefact.platform == .android else {
      return VersionOrder.precedes(newest, wanted) ? newest : nil
    }
    guard let wanted = Int(wanted), let level = Self.apiLevel(ofAndroid: newest) else { return nil }
    return level < wanted ? newest : nil
  }

  /// The API level of a release of Android; the highest where several levels have its number.
  ///
  /// Source: developer.android.com, "uses-sdk", API levels.
  static func apiLevel(ofAndroid version: String) -> Int? {
    let parts = version.split(separator: ".").map { Int($0) }
    guard let first = parts.first, let major = first else { return nil }
    let minor = parts.count > 1 ? parts[1] ?? 0 : 0
    switch major {
    case 5: return minor == 0 ? 21 : 22
    case 6: return 23
    case 7: return minor == 0 ? 24 : 25
    case 8: return minor == 0 ? 26 : 27
    case 9...11: return major + 19
    case 12: return 32
    case 13...100: return major + 20
    default: return nil
    }
  }
}
