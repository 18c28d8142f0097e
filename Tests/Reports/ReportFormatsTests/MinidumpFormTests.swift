import Bytes
import CrashModel
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Forms with minidumps")
struct MinidumpFormTests {
  private func dump() -> [UInt8] {
    var dump = MinidumpBuilder()
    dump.system()
    let context = dump.context(rip: 0x40_1500, rsp: 0x7000, rbp: 0)
    dump.list(3, [dump.thread(id: 1, stack: (0x7000, [1]), context: context)])
    dump.exception(thread: 1, code: 11, flags: 1, address: 0x18, context: context)
    return dump.bytes()
  }

  private func form(_ boundary: String, _ dump: [UInt8], beforeLast: String = "\r\n") -> [UInt8] {
    var bytes: [UInt8] = []
    for (name, value) in [
      ("prod", "Electron"), ("_productName", "Tern"), ("_version", "1.2"), ("guid", "abc"),
      ("say%22 so", "a\r\nb"), ("list_annotations", "first\nsecond"),
    ] {
      bytes += Array(
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8
      )
    }
    bytes += Array(
      ("--\(boundary)\r\nContent-Disposition: form-data; name=\"upload_file_minidump\"; "
        + "filename=\"a;b.dmp\"\r\nContent-Type: application/octet-stream\r\n\r\n").utf8)
    return bytes + dump + Array("\(beforeLast)--\(boundary)--\r\n".utf8)
  }

  @Test("Annotations become app, installation and properties of the dump's report")
  func annotations() throws {
    let report = try #require(
      try FormatRegistry.builtIn.reports(in: ByteView(form("-----x", dump()))).first)
    #expect(report.format == .minidump)
    #expect(report.app.name == "Tern")
    #expect(report.app.version == "1.2")
    #expect(report.install == "abc")
    #expect(report.properties["prod"] == "Electron")
    #expect(report.properties["say\" so"] == "a\r\nb")
    #expect(report.reason.message == "first\nsecond")
    #expect(report.reason.signal == "SIGSEGV")
    #expect(report.notes == [])
  }

  @Test("The end of a file with the process's standard error is a tag")
  func lastWords() throws {
    let lines = (0..<400).map { "line \($0)" }.joined(separator: "\n") + "\nout of ink\n"
    let parts = [
      MultipartForm.Part(
        name: "log", fileName: "Stderr.txt", contentType: "text/plain",
        bytes: ByteView(Array(lines.utf8))),
      MultipartForm.Part(
        name: "upload_file_minidump", fileName: "a.dmp", contentType: nil, bytes: ByteView(dump())),
    ]
    let report = try #require(
      try FormatRegistry.builtIn.reports(
        in: ByteView(MultipartForm.document(parts, boundary: "b"))
      ).first)
    let words = try #require(report.tags[.lastWords])
    #expect(words.hasSuffix("line 399\nout of ink") && words.hasPrefix("line "))
    #expect(words.utf8.count <= 2 << 10)
  }

  @Test("A form in place of the dump is opened, as old Electron sends it")
  func nested() throws {
    let inner = form("inner", dump())
    let outer = form("outer", inner)
    let report = try #require(try FormatRegistry.builtIn.reports(in: ByteView(outer)).first)
    #expect(report.app.name == "Tern")
    #expect(report.reason.signal == "SIGSEGV")
  }

  @Test("The line break before the last boundary may be missing, and so may the boundary")
  func lenient() throws {
    let dump = dump()
    let whole = try #require(MultipartForm(ByteView(form("b", dump))))
    #expect(whole.parts.last?.bytes.array == dump)
    #expect(whole.parts.last?.fileName == "a;b.dmp")
    let glued = try #require(
      MultipartForm(ByteView(form("b", dump, beforeLast: "")), boundary: "b"))
    #expect(glued.parts.last?.bytes.array == dump)
    let cut = try #require(MultipartForm(ByteView(form("b", dump).dropLast(20))))
    #expect(cut.parts.last.map { $0.bytes.count > 100 } == true)
    #expect(cut.notes == ["the form ends before its last boundary"])
  }

  @Test("A boundary's text within a file is part of the file")
  func insideFile() throws {
    let bytes = Array("x--b\r\ny --b z".utf8)
    let form = try #require(MultipartForm(ByteView(form("b", bytes)), boundary: "b"))
    #expect(form.parts.last?.bytes.array == bytes)
  }

  @Test("Written forms are read back")
  func written() throws {
    let part = MultipartForm.Part(
      name: "a\"b%", fileName: "c\r\nd", contentType: "text/plain", bytes: ByteView([13, 10, 0]))
    let read = try #require(
      MultipartForm(ByteView(MultipartForm.document([part, part], boundary: "1"))))
    #expect(read.parts.count == 2)
    #expect(read.parts[1].name == part.name)
    #expect(read.parts[1].fileName == part.fileName)
    #expect(read.parts[1].contentType == part.contentType)
    #expect(read.parts[1].bytes.array == part.bytes.array)
  }

  @Test("Changed and truncated forms cause no crash")
  func damage() {
    let whole = form("-----x", dump())
    var found = 0
    for bytes in Mutator.binary(whole, count: 300, seed: 9) {
      found += (try? FormatRegistry.builtIn.reports(in: ByteView(bytes)).count) ?? 0
    }
    for end in stride(from: 0, to: whole.count, by: 31) {
      found += (try? FormatRegistry.builtIn.reports(in: ByteView(whole[..<end])).count) ?? 0
    }
    #expect(found > 50)
  }
}
