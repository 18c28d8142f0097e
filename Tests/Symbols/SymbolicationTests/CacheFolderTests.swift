import Bytes
import Dispatch
import Glibc
import ObjectFormats
import SymbolCache
import Symbolication
import Synchronization
import TestSupport
import Testing

@Suite struct CacheFolderTests {
  static let bytes: ByteView? = {
    let path = Samples.debugFile("variants/dwarf5-clang")
    guard let object = try? ObjectFile.objects(in: ByteView(mapping: path)).first else {
      return nil
    }
    return try? SymbolCache.compile(object)
  }()

  /// The files of a folder by name, without hidden ones.
  static func names(in folder: String) throws -> [String] {
    try FolderListing.names(in: folder).filter { !$0.hasPrefix(".") }
  }

  @Test("A cache is built once, and found by later processes")
  func kept() throws {
    let bytes = try #require(Self.bytes)
    let scratch = ScratchFolder()
    defer { withExtendedLifetime(scratch) {} }
    let path = scratch.path("a/b")
    let folder = CacheFolder(path)
    #expect(folder.cache(named: "x") == nil)
    _ = try folder.cache(named: "x") { () throws(ParseError) in bytes }
    let found = try folder.cache(named: "x") { () throws(ParseError) in
      throw ParseError(.notRecognised, in: "nothing is rebuilt", at: 0)
    }
    #expect(found.bytes.array == bytes.array)
    #expect(try Self.names(in: path) == ["x.symcache"])
  }

  @Test(
    "A damaged cache is rebuilt, never trusted",
    arguments: [
      ("magic", 0), ("version", 8), ("checksum", 16), ("size", 32), ("header", 48), ("index", 324),
      ("cut off", -1), ("empty", -2), ("longer", -3),
    ])
  func damaged(what: String, place: Int) throws {
    let bytes = try #require(Self.bytes)
    var damaged = bytes.array
    switch place {
    case -1: damaged.removeLast()
    case -2: damaged = []
    case -3: damaged.append(0)
    default: damaged[place] ^= 1
    }
    let scratch = ScratchFolder()
    let path = scratch.write("x.symcache", damaged)
    var isMade = false
    let cache = try CacheFolder(scratch.path).cache(named: "x") { () throws(ParseError) in
      isMade = true
      return bytes
    }
    #expect(isMade, "\(what)")
    #expect(cache.bytes.array == bytes.array)
    #expect(try ByteView(reading: path, limit: 1 << 20).array == bytes.array)
  }

  @Test("Of several processes that need the same cache, one builds it")
  func once() throws {
    let bytes = try #require(Self.bytes)
    let scratch = ScratchFolder()
    defer { withExtendedLifetime(scratch) {} }
    let path = scratch.path
    let made = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      // Each has a lock of its own, as another process has.
      let cache = try? CacheFolder(path).cache(named: "x") { () throws(ParseError) in
        made.wrappingAdd(1, ordering: .relaxed)
        usleep(20_000)
        return bytes
      }
      if cache == nil { made.wrappingAdd(100, ordering: .relaxed) }
    }
    #expect(made.load(ordering: .relaxed) == 1)
    #expect(try Self.names(in: path) == ["x.symcache"])
  }

  @Test("A process that cannot write gets a cache all the same")
  func unwritable() throws {
    let bytes = try #require(Self.bytes)
    let scratch = ScratchFolder()
    defer { withExtendedLifetime(scratch) {} }
    let file = scratch.write("file", [1])
    let cache = try CacheFolder(file + "/x").cache(named: "y") { () throws(ParseError) in bytes }
    #expect(cache.bytes.array == bytes.array)
  }

  @Test("Recently used ones stay within the budget; leftovers of killed processes are deleted")
  func budget() throws {
    let bytes = try #require(Self.bytes)
    let scratch = ScratchFolder()
    for (name, age) in [("old", 3_000), ("older", 5_000), ("new", 1_000)] {
      let path = scratch.write("\(name).symcache", bytes.array)
      let times = Array(repeating: timespec(tv_sec: time(nil) - age, tv_nsec: 0), count: 2)
      utimensat(AT_FDCWD, path, times, 0)
    }
    _ = scratch.write("other.txt", [1])
    _ = scratch.write("dead.symcache.tmp", [1, 2, 3])
    let folder = CacheFolder(scratch.path, budget: bytes.count * 3)
    // The oldest is used: then the next is deleted.
    #expect(folder.cache(named: "older") != nil)
    _ = try folder.cache(named: "made") { () throws(ParseError) in bytes }
    #expect(
      try Self.names(in: scratch.path)
        == ["made.symcache", "new.symcache", "older.symcache", "other.txt"])
    // The one in use is kept whatever the budget.
    CacheFolder(scratch.path, budget: 0).trim(sparing: "made")
    #expect(try Self.names(in: scratch.path) == ["made.symcache", "other.txt"])
  }

  @Test("A file whose lock is held is not a leftover")
  func locked() throws {
    let scratch = ScratchFolder()
    let path = scratch.write("x.symcache.tmp", [])
    let file = open(path, O_RDWR)
    defer { close(file) }
    #expect(flock(file, LOCK_EX) == 0)
    CacheFolder(scratch.path).trim()
    #expect(try Self.names(in: scratch.path) == ["x.symcache.tmp"])
    flock(file, LOCK_UN)
    CacheFolder(scratch.path).trim()
    #expect(try Self.names(in: scratch.path) == [])
  }
}
