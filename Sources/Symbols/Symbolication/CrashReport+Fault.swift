internal import Bytes
internal import CrashModel
internal import FaultAnalysis
internal import Identifiers
internal import ObjectFormats
internal import SymbolSources

extension CrashReport {
  /// Says in words why the process died, if the report has its memory.
  ///
  /// - Returns: The SHA-256 of the program whose code was read, by debug id; empty where none was needed.
  /// - Throws: What a source of debug files throws that cannot tell.
  mutating func explainFault(_ sources: [any SymbolSource]) throws -> [DebugID: String] {
    guard memory != nil else { return [:] }
    let map = ImageMap(images)
    var digests: [DebugID: String] = [:]
    let analyzer = try FaultAnalyzer(self) { address in
      guard let index = map.image(at: address), let base = images[index].base,
        images[index].hasBuildID
      else { return [] }
      let (bytes, file) = try Self.code(
        of: images[index], at: address.value - base.value, sources,
        count: FaultAnalyzer.longestInstruction)
      if let id = images[index].debugID, let file { digests[id] = file.digest }
      return bytes
    }
    reason.fault = analyzer?.fault()
    return digests
  }

  /// Bytes of the program, of the first file that has them.
  private static func code(
    of image: LoadedImage, at offset: UInt64, _ sources: [any SymbolSource], count: Int
  ) throws -> (bytes: [UInt8], file: DebugFile?) {
    for source in sources {
      for file in try source.candidates(for: image) {
        let (address, overflow) = file.object.imageBase.addingReportingOverflow(offset)
        if overflow { continue }
        for section in file.object.sections
        where section.isExecutable && section.compression == .none && address >= section.address
          && address - section.address < section.fileSize
        {
          // Files that cannot be read are named where their symbols are searched for.
          guard let bytes = try? file.object.contents(of: section) else { continue }
          let start = Int(clamping: address - section.address)
          return (bytes.clamped(start..<start.addingClamped(count)).array, file)
        }
      }
    }
    return ([], nil)
  }
}
