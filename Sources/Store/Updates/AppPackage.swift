public import Identifiers

/// Data about an app, read from an artefact.
public struct AppPackage: Hashable, Sendable {
  public var kind: ArtefactKind
  /// `com.example.tern`: the bundle identifier, or the package of Android.
  public var identifier: String?
  /// The displayed name of the app.
  public var name: String?
  /// The displayed version: CFBundleShortVersionString or versionName.
  public var version: String?
  /// CFBundleVersion or versionCode.
  public var build: String?
  /// The oldest system that it runs on: a version, or for Android the API level.
  public var minimumOS: String?
  /// `iPhone`, `iPad`; empty where the artefact doesn't say.
  public var deviceFamilies: [String] = []
  /// The hashes that App Center's SDKs compare with the installed build: for iOS one for each slice of the
  /// main executable, for Android one.
  public var hashes: [String] = []
  /// The binaries in it, the main executable's slices first.
  public var binaries: [Binary] = []
  public var provisioning: Provisioning?
  /// Parts that could not be read, and why.
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

  /// The devices on which Apple's profile lets an app run, and until when.
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
    /// The number of listed devices.
    public var devices: Int

    public init(name: String, kind: Kind, expires: Timestamp?, devices: Int) {
      self.name = name
      self.kind = kind
      self.expires = expires
      self.devices = devices
    }
  }

  /// The release that the package is a build of.
  public var release: Release { Release(version: version ?? "", build: build ?? "") }

  public init(_ kind: ArtefactKind) { self.kind = kind }
}
