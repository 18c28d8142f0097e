internal import CrashModel
internal import Identifiers
internal import ManagedMetadata
internal import SymbolSources

/// Gives calls of .NET their files and lines, by portable PDBs.
///
/// A frame has the token of its method as its symbol, `0x06000012`, and the offset into its intermediate
/// code in the place of an image's.
final class DotNetMapper: Sendable {
  private let search: MappingSearch
  private let pool = MappingPool<PortablePDB>()

  init(search: MappingSearch) { self.search = search }

  /// - Returns: The SHA-256 of the files that were used, by debug id.
  /// - Throws: The error of a source of debug files that fails.
  func map(_ report: inout CrashReport) throws -> [DebugID: String] {
    guard report.images.contains(where: { $0.architecture == .cil }) else { return [:] }
    var needed: Set<Int> = []
    report.forEachStack { frames in
      for frame in frames where frame.line == nil && Self.method(of: frame) != nil {
        if let image = frame.image { needed.insert(image) }
      }
    }
    var files: [Int: PortablePDB] = [:]
    var digests: [DebugID: String] = [:]
    for index in needed.sorted() where report.images.indices.contains(index) {
      guard report.images[index].architecture == .cil else { continue }
      let finding = try search.find(report.images[index], .portablePDB, takesGiven: false)
      report.images[index].symbols = finding.status
      guard let file = finding.file else { continue }
      do {
        files[index] = try pool.value(of: file) { try PortablePDB(parsing: $0.fileBytes) }
        if let id = report.images[index].debugID { digests[id] = file.digest }
      } catch {
        report.images[index].symbols = SymbolStatus(
          .damaged, tried: [SymbolCandidate(file.name, .damaged, detail: "\(error)")])
      }
    }
    guard !files.isEmpty else { return digests }
    var damaged: Set<Int> = []
    report.mapStacks { frames in
      frames.map { frame in
        guard frame.line == nil, let index = frame.image, let file = files[index],
          let method = Self.method(of: frame), let offset = frame.imageOffset
        else { return frame }
        var frame = frame
        do {
          let found = try file.location(method: method, offset: UInt32(clamping: offset.value))
          frame.file = found?.file ?? frame.file
          frame.line = found?.line
          frame.column = found?.column
        } catch {
          damaged.insert(index)
        }
        return frame
      }
    }
    for index in damaged.sorted() {
      report.notes.append("\(report.images[index].name): lines of some methods cannot be read")
    }
    return digests
  }

  /// The row of the method that a frame names by its token: the table of methods has number 6.
  private static func method(of frame: Frame) -> UInt32? {
    guard let symbol = frame.symbol, symbol.hasPrefix("0x"),
      let token = UInt32(symbol.dropFirst(2), radix: 16), token >> 24 == 6
    else { return nil }
    return token & 0xff_ffff
  }
}
