internal import Bytes
internal import CrashService
internal import Identifiers
internal import ObjectFormats
internal import SymbolCache
internal import SymbolSources
package import Terminal
internal import Workers

/// Opens the files in which addresses are looked up.
package struct LookUpFiles {
  /// The base of addresses.
  package enum Base: Equatable {
    /// Linked addresses.
    case linked
    /// Addresses in an image that was loaded here.
    case loaded(UInt64)
    /// Addresses in an image that was moved by this distance from its linked address.
    case slide(UInt64)
    /// Distances from the load address.
    case image
    /// Distances from the image base in Windows programs, otherwise linked addresses.
    case windowsImage
  }

  package var architecture: String?
  package var base = Base.linked
  /// Folders with debug files by build id.
  package var debugFolders: [String] = []
  /// Other files and folders that may contain the debug file.
  package var hints: [String] = []
  /// Number of source lines printed for each location.
  package var sourceLines = 0
  package var hasRelativeNames = false
  package var caching = LookUpCaching()
  package let console: Console

  /// Maximum number of notes about a damaged file that are shown; the rest usually follows from them.
  private static let noteLimit = 8
  /// Number of addresses up to which it is faster to read what they need than to compile everything.
  private static let fewAddresses = 20

  package init(console: Console) { self.console = console }

  /// Returns the file that a line or a word of the command line names.
  package func path(of module: LookUpLine.Module) throws -> String {
    switch module {
    case .path(let path):
      try InputPaths.check([path])
      return path
    case .buildID(let text):
      let folders = debugFolders.isEmpty ? [DebugFolders.standard] : debugFolders
      guard let id = CodeID(text), let path = DebugFolders(paths: folders).file(of: id) else {
        throw ServiceError(
          "no debug file for build id \(text.printable) in "
            + folders.joined(separator: ", ").printable, .notFound)
      }
      return path
    }
  }

  /// - Parameters:
  ///   - name: The file's name in answers.
  ///   - addresses: The addresses to look up; `nil` where they are not known yet.
  package func printer(
    for path: String, called name: String, addresses: [UInt64]?, form: LookUpPrinter.Form
  ) throws -> LookUpPrinter {
    let opened = try open(path, addresses)
    for note in opened.notes.prefix(Self.noteLimit) {
      console.warn("\(opened.path): \(note)".printable)
    }
    return LookUpPrinter(
      opened.cache, module: name, base: opened.start, form: form,
      sources: opened.file.map {
        SourceFinder(bundles: SourceBundles.beside(path, of: $0), file: $0, isOnDisk: true)
      })
  }

  /// Returns the debug file of `path`, for what a symbol cache does not contain.
  package func target(_ path: String) throws -> LookUpTarget {
    try LookUpTarget.find(
      path, hints: hints, architecture: architecture,
      debugFolders: DebugFolders(paths: debugFolders))
  }

  /// Returns the address that the offsets of a cache count from.
  package func start(of target: LookUpTarget) -> UInt64 {
    let container = target.file.object.container
    if base == .windowsImage, container == .pe || container == .pdb { return 0 }
    return start(target.imageBase)
  }

  private func start(_ imageBase: UInt64) -> UInt64 {
    switch base {
    case .linked, .windowsImage: imageBase
    case .loaded(let address): address
    case .slide(let distance): imageBase &+ distance
    case .image: 0
    }
  }

  /// A symbol cache and the facts about it.
  private struct Opened {
    let cache: SymbolCache
    /// The address that its offsets count from.
    let start: UInt64
    let path: String
    let notes: [String]
    /// The debug file, where it is needed for its sources.
    var file: DebugFile?
  }

  private func open(_ path: String, _ addresses: [UInt64]?) throws -> Opened {
    // A kept cache has full paths, and belongs to the file alone.
    let folder =
      hasRelativeNames || !hints.isEmpty
      ? nil : caching.cache(of: path, architecture: architecture)
    if sourceLines == 0, base != .windowsImage, let kept = folder?.kept {
      return Opened(cache: kept, start: start(kept.imageBase), path: path, notes: kept.notes)
    }
    let target = try target(path)
    let cache = try cache(of: target, in: folder, addresses)
    return Opened(
      cache: cache, start: start(of: target), path: target.file.path,
      notes: target.notes + cache.notes, file: sourceLines == 0 ? nil : target.file)
  }

  private func cache(
    of target: LookUpTarget, in folder: LookUpCache?, _ addresses: [UInt64]?
  ) throws -> SymbolCache {
    let file = target.file
    var options = CacheOptions()
    options.width = Workers.processorCount
    options.hasRelativePaths = hasRelativeNames
    if let addresses, addresses.count <= Self.fewAddresses, caching.folder == nil {
      let start = start(of: target)
      options.offsets = addresses.compactMap { UInt32(exactly: $0 &- start) }
    }
    func compile() throws(ParseError) -> ByteView {
      try SymbolCache.compiling(
        file.object, supplementary: file.supplementary, options: options
      ).bytes
    }
    guard let folder, options.offsets == nil, let others = target.others else {
      return try SymbolCache(opening: compile())
    }
    return try folder.cache(besides: others, make: compile)
  }
}
