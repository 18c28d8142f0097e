public import Identifiers

/// A binary that was loaded in the process when it crashed.
public struct LoadedImage: Hashable, Sendable {
  /// The last part of the path, or the report's name for it.
  public var name: String { didSet { name = Self.withoutMark(name) } }
  public var path: String? { didSet { path = path.map { Self.withoutMark($0) } } }
  public var architecture: Architecture?
  public var debugID: DebugID?
  public var codeID: CodeID?
  /// The name of the debug file recorded in the binary itself, such as `tern.pdb`, without its folder.
  public var debugFile: String?
  /// The address where it was loaded; `nil` when the report gives only offsets into it.
  public var base: Address?
  /// The length of the loaded range, in bytes; `nil` when the report does not give it.
  public var size: UInt64?
  /// The version that the report gives for the binary itself.
  public var version: String?
  /// The package that it was installed from, where the binary names it.
  public var package: ImagePackage?
  /// The release of the app that it belongs to, where the report does not name its build but its release: of
  /// several debug files with its name, the one of this release belongs to it.
  public var release: Release?
  /// The result of the search for its debug file.
  public var symbols: SymbolStatus?

  public init(
    name: String, path: String? = nil, architecture: Architecture? = nil, debugID: DebugID? = nil,
    codeID: CodeID? = nil, base: Address? = nil, size: UInt64? = nil, version: String? = nil
  ) {
    self.name = Self.withoutMark(name)
    self.path = path.map { Self.withoutMark($0) }
    self.architecture = architecture
    self.debugID = debugID
    self.codeID = codeID
    self.base = base
    self.size = size
    self.version = version
  }

  /// The path without the mark that Linux adds where the file was replaced while the program ran: the module
  /// is the same.
  private static func withoutMark(_ path: String) -> String {
    let mark = " (deleted)"
    guard path.hasSuffix(mark), path.utf8.count > mark.utf8.count else { return path }
    return String(path.dropLast(mark.count))
  }

  /// Whether the report names the build of the image. Some writers put zeros where they know no id.
  public var hasBuildID: Bool {
    debugID.map { !$0.isZero } == true || codeID?.description.contains { $0 != "0" } == true
  }

  /// The name by which a debug file is searched for where the report names no build: the last part of the
  /// path, or of the name.
  public var fileName: String {
    let path = path ?? name
    let isOfWindows = path.utf8.dropFirst().first == UInt8(ascii: ":") || path.hasPrefix("\\")
    let last = path.split { $0 == "/" || isOfWindows && $0 == "\\" }.last
    guard let last else { return path }
    // A library that is mapped from inside a package: `base.apk!libtern.so`.
    for package in [".apk!", ".jar!", ".zip!"] {
      if let mark = last.firstRange(of: package), mark.upperBound < last.endIndex {
        return String(last[mark.upperBound...])
      }
    }
    return String(last)
  }

  /// The offset of `address` in this image, or `nil` outside it. An image without a size extends to the
  /// highest address, so query the images in order of their bases.
  public func offset(of address: Address) -> ImageOffset? {
    guard let base, address >= base else { return nil }
    let offset = address.value - base.value
    if let size, offset >= size { return nil }
    return ImageOffset(offset)
  }
}

/// The result of the search for an image's debug file.
public struct SymbolStatus: Hashable, Sendable {
  public enum Verdict: String, Sendable, CaseIterable {
    /// A debug file with this id was used.
    case found
    /// The file with this id has neither debug information nor symbols.
    case stripped
    /// No file with this id is known.
    case missing
    /// The file with this id could not be read.
    case damaged
    /// No frame of the report is in the image.
    case unneeded
  }

  /// The evidence that a debug file belongs to an image.
  public enum Match: String, Sendable {
    /// Its id is the image's.
    case id
    /// The report names no build, and only one build with the image's name is known. Nothing verifies that it
    /// is the one that crashed, so names and lines given by the report itself are never replaced.
    case name
  }

  public var verdict: Verdict
  /// The name of the debug file that was used. Its folder is not part of a result: the same file in another
  /// folder gives the same result.
  public var file: String?
  /// How the debug file was found.
  public var match = Match.id
  /// The build of the debug file, where it was found by its name: the image is assumed to be of this build.
  public var assumedID: DebugID?
  /// Each candidate with a shortcoming, in the order in which they were tried.
  public var tried: [SymbolCandidate]

  public init(_ verdict: Verdict, file: String? = nil, tried: [SymbolCandidate] = []) {
    self.verdict = verdict
    self.file = file
    self.tried = tried
  }

  /// Whether the file that was used knows functions but no lines, so that another one with this id may still
  /// improve the result.
  public var isSymbolsOnly: Bool {
    verdict == .found && tried.contains { $0.verdict == .noLineTable }
  }

  /// Whether callers were searched for in the image without unwind rules, so that another file with this id
  /// may still change the stack.
  public var lacksUnwindRules: Bool { tried.contains { $0.verdict == .noUnwindRules } }
}
