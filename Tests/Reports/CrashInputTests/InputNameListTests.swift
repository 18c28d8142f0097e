import Archives
import Bytes
import Files
import Glibc
import TestSupport
import Testing

@testable import CrashInput

@Suite("Lists of inputs") struct InputNameListTests {
  private let folder = ScratchFolder()

  private func list(
    _ bytes: [UInt8], endsWithNUL: Bool = false
  ) throws -> (names: [String], failure: InputNameList.Failure?) {
    let path = folder.write("list", bytes)
    let list = InputNameList(
      reading: try OpenFile.opening(path), name: path, endsWithNUL: endsWithNUL)
    let names = list.map { String(decoding: $0.path, as: UTF8.self) }
    return (names, list.failure)
  }

  @Test("A name per line; the last needs no end, and empty lines are none")
  func lines() throws {
    #expect(try list(Array("a\nb c\n\n-\nd".utf8)).names == ["a", "b c", "-", "d"])
    #expect(try list([]).names == [])
    #expect(try list(Array("a\r\n".utf8)).names == ["a\r"])
  }

  @Test("Names that end with NUL may contain line feeds")
  func zeros() throws {
    #expect(try list(Array("a\nb\0\0c\0".utf8), endsWithNUL: true).names == ["a\nb", "c"])
  }

  @Test("A list of names with NUL, read as lines, is an error and gives no name")
  func forgotten() throws {
    let (names, failure) = try list(Array("a\0b\0".utf8))
    #expect(names == [] && failure == .hasNUL)
    #expect(try list(Array("a\nb\0c".utf8)).names == ["a"])
  }

  @Test("What is longer than any path is an error with the number of the name")
  func tooLong() throws {
    let long = [UInt8](repeating: 0x61, count: InputNameList.longestName + 1)
    #expect(try list(Array("a\n".utf8) + long).failure == .tooLong(2))
    #expect(try list(long + [0x0a]).failure == .tooLong(1))
    #expect(try list(Array(long.dropLast()) + [0x0a]).names.count == 1)
    // As many as do not fit into what is read at once.
    let many = (0..<20_000).map { "dumps/\($0).dmp" }
    #expect(try list(Array(many.joined(separator: "\n").utf8)).names == many)
  }

  @Test("A folder in place of a list is an error")
  func folders() throws {
    let list = InputNameList(
      reading: try OpenFile.opening(folder.path), name: folder.path, endsWithNUL: false)
    #expect(list.next() == nil)
    guard case .file(let error)? = list.failure else {
      Issue.record("\(String(describing: list.failure))")
      return
    }
    #expect(error.code == EISDIR)
  }

  @Test("Before a pipe is waited for, the reader is told")
  func waiting() throws {
    let pipe = try OpenFile.pipe()
    var told = 0
    let writing = pipe.writing.take()
    func send(_ text: String) {
      let bytes = Array(text.utf8)
      #expect(write(writing, bytes, bytes.count) == bytes.count)
    }
    send("a\nb\nc")
    let list = InputNameList(
      reading: try OpenFile.duplicating(pipe.reading.number, name: "pipe"), name: "pipe",
      endsWithNUL: false
    ) {
      told += 1
      if told == 1 { send("d\n") } else { close(writing) }
    }
    #expect(list.next() == .listed([0x61]) && list.next() == .listed([0x62]))
    #expect(told == 0)
    #expect(list.next() == .listed(Array("cd".utf8)) && told == 1)
    #expect(list.next() == nil && told == 2 && list.failure == nil)
  }
}

@Suite("Shares of inputs") struct InputShareTests {
  private let folder = ScratchFolder()

  @Test("Every file is in one share, and the shares are about equally large")
  func partition() {
    let paths = (0..<2_000).map { Array("crashes/\($0 % 7)/\($0).dmp".utf8) }
    for count in [1, 2, 3, 16] {
      let shares = (1...count).compactMap { InputShare($0, of: count) }
      var sizes = [Int](repeating: 0, count: count)
      for path in paths {
        let holders = shares.indices.filter { shares[$0].contains(path) }
        #expect(holders.count == 1)
        sizes[holders[0]] += 1
      }
      let mean = paths.count / count
      #expect(sizes.allSatisfy { abs($0 - mean) < mean / 2 }, "\(sizes)")
    }
  }

  @Test("The share of a name is fixed: others compute it, too")
  func fixed() {
    // printf a.dmp | sha256sum | cut -c 16: modulo 16 only the last digit of eight bytes counts.
    let digit = 0x6
    let share = InputShare(digit + 1, of: 16)
    #expect(share?.contains(Array("a.dmp".utf8)) == true)
  }

  @Test("There are no shares beyond their number")
  func bounds() {
    #expect(InputShare(0, of: 3) == nil && InputShare(4, of: 3) == nil)
    #expect(InputShare(1, of: 0) == nil && InputShare(1, of: .max) == nil)
    #expect(InputShare(3, of: 3) != nil)
  }

  @Test("Archives are in one share with all of their members")
  func archives() {
    UnpackProgram.path = BuiltProgram.mayday
    for name in ["a", "b", "c", "d"] {
      var zip = ZipBuilder()
      for member in 1...5 { zip.add("\(member).txt", "\(name)\(member)") }
      folder.write(name + ".zip", zip.bytes)
      folder.write(name + ".txt", name.utf8)
    }
    func walk(_ share: InputShare?) -> [String] {
      var found: [String] = []
      let walker = InputWalker(share: share)
      walker.walk([folder.path]) { file in
        found.append(file.path)
        return .next
      }
      let files = Set(found.map { $0.split(separator: "!")[0] })
      #expect(walker.count([folder.path]).files == files.count)
      return found
    }
    let shares = (1...3).map { walk(InputShare($0, of: 3)) }
    #expect(shares.flatMap(\.self).sorted() == walk(nil).sorted() && walk(nil).count == 24)
    for share in shares {
      for archive in Set(share.filter { $0.contains("!") }.map { $0.split(separator: "!")[0] }) {
        #expect(share.count { $0.hasPrefix(archive + "!") } == 5)
      }
    }
  }
}
