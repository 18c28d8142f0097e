public import CrashModel

/// An image for which reports wait for a debug file.
public struct MissingImage: Hashable, Sendable {
  /// `nil` where the reports name no build: a debug file is looked for by its name then.
  public var debugID: DebugID?
  public var codeID: CodeID?
  public var architecture: Architecture?
  /// Empty where no report names it.
  public var name: String
  public var path: String?
  /// The package that it was installed from, where the binary says so.
  public var package: ImagePackage?
  /// Whether frames of the app's own code lie in it, or of nobody's known.
  public var isOwn: Bool
  /// A debug file of this id is there, and could explain more: without lines, stripped or damaged.
  public var hasDebugFile: Bool
  /// How many reports wait for it.
  public var reports: Int
  /// How many groups these are in.
  public var groups: Int
  /// How many of the groups have a provisional signature that the file would make a real one.
  public var provisionalGroups: Int
  /// The releases of apps that it was met in, by app and number.
  public var builds: [Build]
  /// The systems that it was met on, the newest first.
  public var systems: [System]
  /// Whether it was asked of one app, and others have met it, too: path and systems may be known from those.
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
