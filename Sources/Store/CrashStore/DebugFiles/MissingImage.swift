public import CrashModel
public import Identifiers

/// An image for which reports wait for a debug file.
public struct MissingImage: Hashable, Sendable {
  /// `nil` where the reports name no build: a debug file is then looked up by its name.
  public var debugID: DebugID?
  public var codeID: CodeID?
  public var architecture: Architecture?
  /// Empty where no report names it.
  public var name: String
  public var path: String?
  /// The package that it was installed from, where the binary says so.
  public var package: ImagePackage?
  /// Whether it contains frames of the app's own code, or of unknown origin.
  public var isOwn: Bool
  /// Whether a debug file of this id is stored and could explain more: without lines, stripped or damaged.
  public var hasDebugFile: Bool
  /// Number of reports that wait for it.
  public var reports: Int
  /// Number of groups that these are in.
  public var groups: Int
  /// Number of groups with a provisional signature that the file would complete.
  public var provisionalGroups: Int
  /// The releases of apps that it was seen in, by app and number.
  public var builds: [Build]
  /// The systems that it was seen on, the newest first.
  public var systems: [System]
  /// Whether apps other than the one asked for contain it, too: path and systems may be known from those.
  public var isShared = false

  /// A release of an app.
  public struct Build: Hashable, Sendable {
    public var app: String
    public var release: Release

    public init(app: String, release: Release) {
      self.app = app
      self.release = release
    }
  }

  /// A system, with one of the device models that it ran on.
  public struct System: Hashable, Sendable {
    public var name: String
    public var version: String
    public var build: String
    /// Empty where no report names it.
    public var model: String

    public init(name: String, version: String, build: String, model: String) {
      self.name = name
      self.version = version
      self.build = build
      self.model = model
    }
  }

  public init(
    debugID: DebugID?, codeID: CodeID? = nil, architecture: Architecture? = nil, name: String,
    path: String? = nil,
    isOwn: Bool, hasDebugFile: Bool, reports: Int, groups: Int, provisionalGroups: Int,
    builds: [Build], systems: [System]
  ) {
    self.debugID = debugID
    self.codeID = codeID
    self.architecture = architecture
    self.name = name
    self.path = path
    self.isOwn = isOwn
    self.hasDebugFile = hasDebugFile
    self.reports = reports
    self.groups = groups
    self.provisionalGroups = provisionalGroups
    self.builds = builds
    self.systems = systems
  }
}
