internal import Bytes
internal import CrashModel
internal import Identifiers
internal import ObjectFormats

/// Whether a file is the one that an image without a build id was loaded from.
///
/// The dynamic section of a program names the places and sizes of its tables, and loaders write to it: so it is
/// in nearly every core. Another build of a program has other tables.
///
/// Source: System V gABI, chapter 5, "Dynamic Section".
enum DynamicSectionMatcher {
  /// Fewer entries prove nothing.
  private static let leastEntries = 8
  /// Where the loader writes an address that the file does not have.
  private static let debugTag: UInt64 = 21

  /// Whether memory has what the file's dynamic section would be.
  static func isPresent(
    _ object: ObjectFile, with image: LoadedImage, in memory: ProcessMemory
  ) -> Bool {
    guard let base = image.base?.value, let section = object.section(named: "dynamic") else {
      return false
    }
    return memory.region(at: section.address &+ (base &- object.imageBase)) != nil
  }

  static func agrees(
    _ object: ObjectFile, with image: LoadedImage, in memory: ProcessMemory
  ) -> Bool {
    guard let base = image.base?.value, let section = object.section(named: "dynamic"),
      section.hasContents, let bytes = try? object.contents(of: section),
      object.addressSize == memory.addressSize
    else { return false }
    let bias = base &- object.imageBase
    let mask: UInt64 = object.addressSize == 4 ? 0xffff_ffff : .max
    var address = section.address &+ bias
    var reader = ByteReader(
      bytes.bytes, reading: "dynamic section", endianness: object.endianness)
    var agreed = 0
    while let tag = try? reader.readUnsigned(size: object.addressSize), tag != 0,
      let value = try? reader.readUnsigned(size: object.addressSize)
    {
      let found = memory.word(at: (address & mask) &+ UInt64(object.addressSize))
      guard memory.word(at: address & mask) == tag, let found else { return false }
      // Some loaders add to addresses what they moved the program by.
      guard tag == debugTag || found == value || found == (value &+ bias) & mask else {
        return false
      }
      agreed += 1
      address &+= UInt64(object.addressSize) &* 2
    }
    return agreed >= leastEntries
  }
}
