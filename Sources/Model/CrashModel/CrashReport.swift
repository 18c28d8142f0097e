public import Identifiers

/// The content of one submission, parsed.
///
/// Everything but the format and the kind may be missing: a report has the facts that its source gives, and
/// ``notes`` lists what could not be read.
public struct CrashReport: Hashable, Sendable {
  public var format: ReportFormat
  public var kind: ReportKind
  /// The identifier that the reporter gave the incident.
  public var incident: String?
  public var app = AppIdentity()
  public var time: Timestamp?
  /// An anonymous identifier of the installation or device.
  public var install: String?
  public var user: String?
  public var os = OperatingSystem()
  public var device = Device()
  public var process = ProcessDetails()
  public var reason = CrashReason()
  /// Index into ``threads`` (not the thread's own number).
  public var crashedThread: Int?
  public var threads: [CrashThread] = []
  public var images: [LoadedImage] = []
  /// Images that were unloaded earlier, as far as the system remembers them. They may overlap others.
  public var unloadedImages: [LoadedImage] = []
  /// Stacks that belong to no thread, such as where freed memory was allocated.
  public var otherStacks: [NamedStack] = []
  /// Files that came with the report, by name.
  public var attachments: [Attachment] = []
  /// The actions of the app before the crash, oldest first. They arrive separately from the report, as
  /// attachments do.
  public var breadcrumbs: [Breadcrumb] = []
  /// Facts that only some formats give.
  public var tags: [ReportTag: String] = [:]
  /// Values added by the app, under names of its choice.
  public var properties: [String: String] = [:]
  /// Damage, omissions and guesses, one sentence each.
  public var notes: [String] = []
  public var signature: Signature?
  /// The memory of a dump, in which the stacks of threads with registers but without frames are walked; `nil`
  /// for reports that contain their stacks.
  public var memory: ProcessMemory?
  /// Further facts that a dump holds; `nil` for other reports.
  public var dump: DumpDetails?
  /// The versions and inputs that produced this result; `nil` before symbolication.
  public var engine: EngineRecord?

  public init(format: ReportFormat, kind: ReportKind = .crash) {
    self.format = format
    self.kind = kind
  }
}

/// A stack with a heading, outside the threads: `freed by thread T1 here`.
public struct NamedStack: Hashable, Sendable {
  public var title: String
  /// Youngest first.
  public var frames: [Frame]

  public init(title: String, frames: [Frame]) {
    self.title = title
    self.frames = frames
  }
}

/// The kind of event that a report describes.
public enum ReportKind: String, Hashable, Sendable, CaseIterable {
  case crash, handled, hang, oom, other
}

/// The format of a report.
public struct ReportFormat: Hashable, Sendable, CustomStringConvertible {
  /// The name in documents: `apple-ips`.
  public let description: String

  public init(_ name: String) { description = name }

  /// Apple's report with a JSON body.
  public static let appleIPS = ReportFormat("apple-ips")
  /// Apple's text report and its imitations.
  public static let appleCrash = ReportFormat("apple-crash")
  /// The output of `swift-backtrace`, as text.
  public static let swiftBacktrace = ReportFormat("swift-backtrace")
  /// The output of `swift-backtrace`, as JSON.
  public static let swiftBacktraceJSON = ReportFormat("swift-backtrace-json")
  /// A report of a compiler's sanitizer runtime.
  public static let sanitizer = ReportFormat("sanitizer")
  /// The Linux kernel's log of a bug.
  public static let linuxKernel = ReportFormat("linux-kernel")
  /// A crash or error log of an App Center SDK.
  public static let appCenter = ReportFormat("appcenter")
}

/// An app and a release of it.
public struct AppIdentity: Hashable, Sendable {
  public var name: String?
  /// Bundle identifier or package name.
  public var identifier: String?
  /// The version that users see.
  public var version: String?
  /// The build number.
  public var build: String?

  public init(
    name: String? = nil, identifier: String? = nil, version: String? = nil, build: String? = nil
  ) {
    self.name = name
    self.identifier = identifier
    self.version = version
    self.build = build
  }
}

public struct OperatingSystem: Hashable, Sendable {
  public var name: String?
  public var version: String?
  public var build: String?

  public init(name: String? = nil, version: String? = nil, build: String? = nil) {
    self.name = name
    self.version = version
    self.build = build
  }
}

public struct Device: Hashable, Sendable {
  public var model: String?
  public var architecture: Architecture?

  public init(model: String? = nil, architecture: Architecture? = nil) {
    self.model = model
    self.architecture = architecture
  }
}

public struct ProcessDetails: Hashable, Sendable {
  public var name: String?
  public var pid: Int?
  public var path: String?
  /// Seconds from the start of the process to the crash.
  public var uptime: Double?

  public init(name: String? = nil, pid: Int? = nil, path: String? = nil, uptime: Double? = nil) {
    self.name = name
    self.pid = pid
    self.path = path
    self.uptime = uptime
  }
}

/// The inputs of a result, so that it can be rebuilt: the same bytes, debug files and rules give the same
/// result.
public struct EngineRecord: Hashable, Sendable {
  public var version: String
  /// The SHA-256 of each debug file that was used, by its debug id.
  public var debugFiles: [DebugID: String]
  /// The SHA-256 of the grouping rules, in hexadecimal; `nil` while there is no signature.
  public var rulesDigest: String?
  /// The version of the rules by which the report was scrubbed; `nil` where it was not.
  public var scrubRules: String?
  /// The version of the symbol cache's format; `nil` where no debug file was used.
  public var symbolCacheVersion: Int?

  public init(
    version: String, debugFiles: [DebugID: String] = [:], rulesDigest: String? = nil,
    scrubRules: String? = nil, symbolCacheVersion: Int? = nil
  ) {
    self.version = version
    self.debugFiles = debugFiles
    self.rulesDigest = rulesDigest
    self.scrubRules = scrubRules
    self.symbolCacheVersion = symbolCacheVersion
  }
}
