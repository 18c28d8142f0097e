import Bytes
import TestSupport
import Testing

@testable import Archives

/// The cost of a file is proportional to its size, however archives are nested in it.
@Suite struct ArchiveCostTests {
  /// Archives of `width` archives each, down to files that are not archives.
  private func nest(_ width: Int, levels: Int) -> [UInt8] {
    var inner = Packing.tarGzip.compress("text")
    for _ in 0..<levels {
      var zip = ZipBuilder()
      for number in 0..<width { zip.add("\(number).zip".utf8, inner) }
      inner = zip.bytes
    }
    return inner
  }

  @Test("Nested archives are opened in proportion to the file; earlier members are kept")
  func archives() {
    var limits = ArchiveLimits()
    limits.archives = 30
    limits.bytesPerArchive = 1 << 30
    let bytes = nest(4, levels: 3)
    let unpacked = Unpacked(bytes, limits: limits)
    #expect(
      unpacked.error?.kind == .limit("archives in a file of \(bytes.count) bytes", 30))
    // The archive itself is one. The first inside has 4 archives of 4 compressed files each, together 21. The
    // second, its first with 4 files, and its second with one more are the last 8.
    #expect(unpacked.names.count == 16 + 5)
    #expect(unpacked.refused.isEmpty)
    limits.bytesPerArchive = bytes.count / 70
    let all = Unpacked(bytes, limits: limits)
    #expect(all.error == nil && all.names.count == 64)
  }

  @Test("Archives that are reread because of damage count each time")
  func damagedArchives() {
    var inner = ZipBuilder()
    for number in 0..<8 {
      inner.add(Array("\(number)".utf8), packed: [7, 7, 7, 7], method: 8, size: 50, checksum: 1)
    }
    var zip = ZipBuilder()
    for number in 0..<8 { zip.add("\(number).zip".utf8, inner.bytes) }
    var limits = ArchiveLimits()
    limits.archives = 20
    limits.bytesPerArchive = 1 << 30
    let unpacked = Unpacked(zip.bytes, limits: limits)
    #expect(
      unpacked.error?.kind == .limit("archives in a file of \(zip.bytes.count) bytes", 20))
  }

  @Test("The unpacked size of all nested archives is proportional to the file")
  func ratio() {
    var zip = ZipBuilder()
    let packed = Packing.tarGzip.compress(String(repeating: "z", count: 1 << 20))
    for number in 0..<8 { zip.add("\(number).gz".utf8, packed) }
    var limits = ArchiveLimits()
    limits.ratioFloor = 2 << 20
    limits.ratio = 100
    let most = 2 << 20 + zip.bytes.count * 100
    let unpacked = Unpacked(zip.bytes, limits: limits)
    #expect(
      unpacked.error?.kind == .limit("unpacked bytes in a file of \(zip.bytes.count) bytes", most))
    #expect(unpacked.names.count == (most - zip.bytes.count) >> 20)
    limits.ratio = 1_200
    #expect(Unpacked(zip.bytes, limits: limits).names.count == 8)
  }

  @Test("A limit of members ends the whole file, not each archive by itself")
  func members() {
    var limits = ArchiveLimits()
    limits.members = 10
    let unpacked = Unpacked(nest(4, levels: 3), limits: limits)
    #expect(unpacked.error?.kind == .limit("members", 10))
    #expect(unpacked.refused.isEmpty)
  }

  @Test(
    "A small file has a minute, and a larger one more",
    arguments: [(0, 60), (1 << 20, 80), (1 << 40, 600)])
  func seconds(size: Int, seconds: Int) {
    #expect(ArchiveLimits.standard.seconds(for: size) == seconds)
    #expect(ArchiveLimits.standard.bytes(for: .max) == .max)
  }
}
