import Bytes
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

/// The symbol caches that look-ups keep on disk.
@Suite("lookup with caches")
struct LookUpCacheTests {
  private static let variants = Samples.debugFile("variants/")

  private static func lookUp(
    _ file: String, in folder: ScratchFolder, _ options: [String] = []
  ) -> Run {
    Run(["lookup", "--cache", folder.path, "-o", variants + file, "0x2012d0"] + options)
  }

  private static func caches(in folder: ScratchFolder) throws -> Set<String> {
    Set(try folder.names().filter { $0.hasSuffix(".symcache") })
  }

  private static func status(_ path: String) -> stat {
    var status = stat()
    stat(path, &status)
    return status
  }

  @Test("Within --cache-bytes, the most recently used caches are kept")
  func budget() throws {
    let folder = ScratchFolder()
    var names: [String: String] = [:]
    for (file, age) in [("dwarf4-gcc", 9_000), ("dwarf5-gcc", 6_000), ("dwarf5-clang", 3_000)] {
      let before = try Self.caches(in: folder)
      #expect(Self.lookUp(file, in: folder).status == 0)
      let name = try #require(try Self.caches(in: folder).subtracting(before).first)
      names[file] = name
      let time = timespec(tv_sec: time(nil) - age, tv_nsec: 0)
      #expect(utimensat(AT_FDCWD, folder.path(name), [time, time], 0) == 0)
    }
    // The oldest is used, so that another is the least recently used.
    #expect(Self.lookUp("dwarf4-gcc", in: folder).output.hasPrefix("tide_steepest\n"))
    let sizes = names.mapValues { Self.status(folder.path($0)).st_size }
    let kept = try #require(sizes["dwarf4-gcc"]) + #require(sizes["dwarf5-clang"])
    let other = ScratchFolder()
    #expect(Self.lookUp("plain", in: other).status == 0)
    let plain = try #require(try Self.caches(in: other).first)
    // Room for those two and the new one, and not a byte more.
    let budget = kept + Self.status(other.path(plain)).st_size
    let run = Self.lookUp("plain", in: folder, ["--cache-bytes", "\(budget)"])
    #expect(run.status == 0)
    let left = try Self.caches(in: folder)
    let total = left.reduce(0) { $0 + Self.status(folder.path($1)).st_size }
    #expect(total <= budget)
    #expect(left.contains(try #require(names["dwarf4-gcc"])))
    #expect(!left.contains(try #require(names["dwarf5-gcc"])))
    // The one in use is kept whatever the budget.
    #expect(Self.lookUp("cpp-gcc", in: folder, ["--cache-bytes", "1B"]).status == 0)
    #expect(try Self.caches(in: folder).count == 1)
  }

  @Test(
    "A cache of split units is kept for the files as they are",
    arguments: [("dwo5-clang", ".dwo"), ("package5-clang", ".dwp"), ("dwo4-gcc", ".dwo")])
  func split(sample: String, ending: String) throws {
    let build = ScratchFolder()
    let folder = Samples.debugFile("companions/" + sample)
    var parts: [String] = []
    for name in try FolderListing.names(in: folder) {
      let path = build.write(name, try ByteView(mapping: "\(folder)/\(name)").array)
      if name.hasSuffix(ending) { parts.append(path) }
    }
    let caches = ScratchFolder()
    let program = build.path("tide")
    let words = ["lookup", "-o", program, "0x201250"]
    let expected = Run(words + ["--no-cache"]).output
    #expect(!expected.hasPrefix("??"))
    for _ in 0..<2 {
      #expect(Run(words + ["--cache", caches.path]).output == expected)
      #expect(try Self.caches(in: caches).count == 1)
    }
    // A different size means a different file; without it nothing is cached.
    let part = try #require(parts.first)
    let bytes = try ByteView(mapping: part).array
    build.write(String(part.split(separator: "/").last ?? ""), bytes + [0])
    #expect(Run(words + ["--cache", caches.path]).output == expected)
    #expect(try Self.caches(in: caches).count == 2)
    unlink(part)
    let without = Run(words + ["--no-cache"]).output
    #expect(Run(words + ["--cache", caches.path]).output == without)
    #expect(try Self.caches(in: caches).count == 2)
  }

  @Test("Of processes that need the same cache, one creates it and the others use it")
  func once() throws {
    let folder = ScratchFolder()
    let expected = Self.lookUp("cpp-gcc", in: folder).output
    let name = try #require(try Self.caches(in: folder).first)
    let made = folder.path(name)
    let bytes = try ByteView(reading: made, limit: 1 << 24).array
    unlink(made)
    // This process creates it.
    let unfinished = folder.write(name + ".tmp", bytes)
    let file = open(unfinished, O_RDWR | O_CLOEXEC)
    #expect(flock(file, LOCK_EX) == 0)
    let answers = Mutex<[String]>([])
    let others = DispatchGroup()
    for _ in 0..<3 {
      DispatchQueue.global().async(group: others) {
        let run = Self.lookUp("cpp-gcc", in: folder)
        answers.withLock { $0.append(run.output) }
      }
    }
    usleep(500_000)
    #expect(answers.withLock(\.self).isEmpty)
    let number = Self.status(unfinished).st_ino
    #expect(rename(unfinished, made) == 0)
    close(file)
    others.wait()
    #expect(answers.withLock(\.self) == [expected, expected, expected])
    #expect(Self.status(made).st_ino == number)
    #expect(try Self.caches(in: folder) == [name])
  }
}
