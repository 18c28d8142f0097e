public import CrashModel

/// What an artefact says of the app in it.
public struct AppPackage: Hashable, Sendable {
  public var kind: ArtefactKind
  /// `com.example.tern`: the bundle identifier, or the package of Android.
  public var identifier: String?
  /// What users call the app.
  public var name: String?
  /// What users see: CFBundleShortVersionString or versionName.
  public var version: String?
  /// CFBundleVersion or versionCode.
  public var build: String?
  /// The oldest system that it runs on: a version, for Android the level of the API.
  public var minimumOS: String?
  /// `iPhone`, `iPad`; empty where the artefact doesn't say.
  public var deviceFamilies: [String] = []
  /// With which App Center's SDKs compare the installed build: for iOS one for each slice of the main
  /// executable, for Android one.
  public var hashes: [String] = []
  /// The binaries in it, the main executable's slices first.
  public var binaries: [Binary] = []
  public var provisioning: Provisioning?
  /// What could not be read, and why.
  public var notes: [String] = []

  /// A slice of an executable or library in an artefact.
  public struct Binary: Hashable, Sendable {
    /// Its path in the artefact.
    public var path: String
    public var architecture: Architecture
    /// `nil` where the binary has none.
    public var debugID: DebugID?

    public init(path: String, architecture: Architecture, debugID: DebugID?) {
      self.path = path
      self.architecture = architecture
      self.debugID = debugID
    }
  }

  /// On which devices Apple's profile lets an app run, and how long.
  public struct Provisioning: Hashable, Sendable {
    /// Source: the keys of profiles: `ProvisionsAllDevices` is an enterprise's, `ProvisionedDevices` lists
    /// those of an ad-hoc or development one.
    public enum Kind: String, CaseIterable, Sendable {
      case adhoc
      case enterprise
      case other
    }

    public var name: String
    public var kind: Kind
    public var expires: Timestamp?
    /// How many devices it lists.
    public var devices: Int

    public init(name: String, kind: Kind, expires: Timestamp?, devices: Int) {
      self.name = name
      self.kind = kind
      self.expires = expires
      self.devices = devices
    }
  }

  /// The release that it is a build of.
  public var release: Release { Release(version: version ?? "", build: build ?? "") }

  public init(_ kind: ArtefactKind) { self.kind = kind }
}
