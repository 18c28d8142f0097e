public import Bytes
public import DebugInfo
public import Identifiers
public import ObjectFormats

/// A file that may explain an image: one architecture of it.
public struct DebugFile: Sendable {
  /// The use of a file, the best first.
  public enum Usability: Int, Sendable, Comparable {
    /// Functions, files, lines and inlined calls.
    case debugInfo
    /// The names of functions.
    case symbolsOnly
    /// Nothing but its ids.
    case stripped

    public static func < (left: Usability, right: Usability) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// Where it was found, for people: `App.dSYM.zip!App.dSYM/Contents/Resources/DWARF/App`.
  public let path: String
  /// The name of the file itself.
  public let name: String
  public let object: ObjectFile
  /// The id by which reports know the build.
  public let debugID: DebugID?
  /// The whole build id, or the UUID.
  public let codeID: CodeID?
  public private(set) var usability: Usability
  /// The files in which its debug information goes on, as far as they were found.
  public private(set) var supplementaryFiles: [SupplementaryFile] = []
  /// The object files that the debug map of a Mach-O program names, as far as they were found.
  private var mapped: [Int: ObjectFile] = [:]
  /// The parts of them that were not found, as text for people.
  public private(set) var missingParts: [String] = []
  /// The release that the bundle it lies in names.
  public internal(set) var release: Release?
  /// The bytes that it is made of: its own, and those of the file that lends it symbols, and of its
  /// supplementary object files.
  private var sources: [SourceFile]
  /// The file on disk that it is, beside which others may lie; `nil` for a member of an archive.
  let diskPath: String?

  init(
    path: String, name: String, object: ObjectFile, in source: SourceFile, diskPath: String? = nil
  ) {
    self.path = path
    self.diskPath = diskPath
    self.name = name
    self.object = object
    debugID = object.debugID
    codeID = object.codeID
    usability =
      object.hasDebugInfo ? .debugInfo : object.hasSymbols ? .symbolsOnly : .stripped
    sources = [source]
  }

  private init(
    _ file: DebugFile, object: ObjectFile, debugID: DebugID?, codeID: CodeID?,
    sources: [SourceFile]
  ) {
    path = file.path
    name = file.name
    self.object = object
    self.debugID = debugID
    self.codeID = codeID
    usability = file.usability
    diskPath = file.diskPath
    supplementaryFiles = file.supplementaryFiles
    missingParts = file.missingParts
    mapped = file.mapped
    release = file.release
    self.sources = sources
  }

  /// The paths of the files in which its debug information goes on, if these are all here and
  /// nothing else lends it something; `nil` where what is found may change.
  public var otherPaths: [String]? {
    guard usability == .debugInfo, missingParts.isEmpty, mapped.isEmpty,
      sources.count == 1 + supplementaryFiles.count
    else { return nil }
    return supplementaryFiles.map(\.path)
  }

  /// The id of the file that dwz moved parts of the debug information to.
  public var sharedID: CodeID? { object.elf?.alternateLink?.codeID }

  public var architecture: Architecture { object.architecture }

  /// ``supplementaryFiles`` as the compiler of symbol caches wants them.
  public var supplementary: SupplementaryObjects {
    var supplementary = SupplementaryObjects()
    supplementary.mapped = mapped
    for file in supplementaryFiles {
      switch file.kind {
      case .split: supplementary.split.append(file.object)
      case .shared: supplementary.alternate = file.object
      }
    }
    return supplementary
  }

  /// This file with other files that its debug information goes on in.
  func joined(by others: [SupplementaryFile], missing: [String]) -> DebugFile {
    var file = self
    file.supplementaryFiles = others
    file.missingParts = missing
    file.sources += others.map(\.source)
    return file
  }

  /// This file with the object files that its debug map names, by their numbers there.
  func joined(
    by objects: [Int: ObjectFile], from others: [SourceFile], missing: [String]
  ) -> DebugFile {
    var file = self
    file.mapped = objects
    file.missingParts = missing
    file.sources += others
    if !objects.isEmpty { file.usability = .debugInfo }
    return file
  }

  /// The whole file, all slices of a universal one included, as it is to be kept.
  public var fileBytes: ByteView { sources.first?.bytes ?? object.bytes }

  /// The SHA-256 of the file's bytes as 64 hexadecimal digits; where other files lend symbols or
  /// hold a part of the debug information, that of all digests. The slices of a universal file have
  /// one digest.
  ///
  /// - Complexity: O(n) in the size of the file the first time, O(1) after that.
  public var digest: String { SourceFile.digest(of: sources) }

  /// The file itself, without those that lend it something.
  var source: SourceFile { sources.first ?? SourceFile(object.bytes) }

  /// Whether the CRC-32 of the file is what `link` says.
  ///
  /// - Complexity: as ``digest``.
  func matches(_ link: DebugLink) -> Bool {
    sources.first.map { $0.checksum == link.checksum } ?? false
  }

  /// This file as debug information for the build of `program`, whose symbols it takes where it has
  /// none.
  func explaining(_ program: DebugFile) -> DebugFile {
    let needsSymbols =
      !object.hasSymbols && program.object.hasSymbols || object.container == .wasm
    return DebugFile(
      self, object: needsSymbols ? object.borrowingSymbols(of: program.object) : object,
      debugID: debugID ?? program.debugID, codeID: codeID ?? program.codeID,
      sources: needsSymbols ? sources + program.sources : sources)
  }
}

/// The last part of the path.
func lastPathComponent(of path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
}
