/// The kind of a distributed file, by the suffix of its name.
///
/// Source: the file types that App Center accepted for its releases.
public enum ArtefactKind: String, CaseIterable, Sendable {
  case ipa
  case apk
  case aab
  /// A zip archive with a macOS application bundle.
  case appZip = "app.zip"
  case pkg
  case dmg
  case msi
  case appx
  case appxbundle
  case appxupload
  case msix
  case msixbundle
  case msixupload
  case zip

  /// The kind of a file with this name, ignoring letter case; `nil` for other kinds of files.
  public init?(fileName: String) {
    let name = fileName.lowercased()
    // `app.zip` also ends with `zip`.
    let fitting = Self.allCases.filter { name.hasSuffix("." + $0.rawValue) }
    guard let kind = fitting.max(by: { $0.rawValue.utf8.count < $1.rawValue.utf8.count }) else {
      return nil
    }
    self = kind
  }

  public var platform: ArtefactPlatform {
    switch self {
    case .ipa: .iOS
    case .apk, .aab: .android
    case .appZip, .pkg, .dmg: .macOS
    case .msi, .appx, .appxbundle, .appxupload, .msix, .msixbundle, .msixupload: .windows
    case .zip: .other
    }
  }
}

/// The systems that artefacts are for.
public enum ArtefactPlatform: String, CaseIterable, Sendable {
  case iOS
  case android = "Android"
  case macOS
  case windows = "Windows"
  /// A zip archive of anything.
  case other = "Custom"
}
