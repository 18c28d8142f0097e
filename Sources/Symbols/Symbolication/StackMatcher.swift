internal import Bytes
internal import CrashModel
internal import Identifiers
internal import ObjectFormats

/// Whether a file is the one that an image without a build id was loaded from, as the stacks of the process show.
///
/// Small dumps hold the stacks and no headers. Where the image is as long as the file in memory and most addresses
/// in its code that lie on stacks follow a call, the file is taken: function pointers and interrupted instructions
/// lie there as well, but of another build hardly any address follows a call.
enum StackMatcher {
  /// The most words of memory that are looked at.
  private static let mostWords = 1 << 16
  /// The most addresses that are compared with the code.
  private static let mostAddresses = 256
  /// Fewer calls prove nothing.
  private static let fewestCalls = 2
  private static let pageSize: UInt64 = 4096

  static func agrees(
    _ object: ObjectFile, with image: LoadedImage, in memory: ProcessMemory
  ) -> Bool {
    guard let base = image.base?.value, let size = image.size,
      object.addressSize == memory.addressSize, isLength(size, of: object)
    else { return false }
    let code = CodeMatcher(object)
    guard code.knowsCalls else { return false }
    let addresses = base..<base.addingReportingOverflow(size).partialValue.clamped(above: base)
    let bias = base &- object.imageBase
    var found: Set<ImageAddress> = []
    var words = 0
    for region in memory.regions {
      let width = memory.addressSize
      var offset = Int(clamping: (0 &- region.start) % UInt64(width))
      while offset <= region.bytes.count - width, words < mostWords, found.count < mostAddresses {
        let word = region.word(at: offset, width: width, memory.endianness)
        if addresses.contains(word),
          object.executableRanges.contains(where: { $0.contains(word &- bias) })
        {
          // Recorded: a copy of the dump keeps what decided.
          _ = memory.word(at: region.start &+ UInt64(offset))
          found.insert(ImageAddress(offset: ImageOffset(word &- base), position: .returnAddress))
        }
        offset += width
        words += 1
      }
    }
    let evidence = code.evidence(of: found)
    let callCount = evidence.addressCount - evidence.contradictionCount
    return callCount >= fewestCalls && callCount >= evidence.contradictionCount
  }

  /// Whether an image of that size may be the file in memory: some writers give whole pages.
  private static func isLength(_ size: UInt64, of object: ObjectFile) -> Bool {
    let loaded = object.sections.filter { $0.address > 0 && $0.address >= object.imageBase }
    let length = (loaded.map { $0.address &+ $0.size }.max() ?? 0) &- object.imageBase
    guard length < 1 << 40 else { return false }
    return size == length || size == (length + pageSize - 1) / pageSize * pageSize
  }
}

extension UInt64 {
  fileprivate func clamped(above lowest: UInt64) -> UInt64 { self < lowest ? .max : self }
}

extension ProcessMemory.Region {
  fileprivate func word(at offset: Int, width: Int, _ endianness: Endianness) -> UInt64 {
    (0..<width).reduce(0) { value, index in
      value << 8 | UInt64(bytes[offset + (endianness == .little ? width - 1 - index : index)])
    }
  }
}
