import Bytes
import Identifiers
import TestSupport
import Testing

@testable import ObjectStorage

private typealias Reply = ScriptedServer.Reply

@Suite("Lists of objects") struct ListingTests {
  private static let prefix = Fixture.address("s3://bucket/dumps/")

  private static func page(_ keys: [String], next: String? = nil, more: String = "") -> [UInt8] {
    let contents = keys.map {
      "<Contents><Key>\(PercentEncoding.encoded($0))</Key>"
        + "<LastModified>2026-10-12T17:50:30.000Z</LastModified><ETag>&quot;e&quot;</ETag>"
        + "<Size>5</Size></Contents>"
    }
    return Array(
      ("<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        + "<EncodingType>url</EncodingType><IsTruncated>\(next != nil)</IsTruncated>"
        + (next.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? "")
        + contents.joined() + more + "</ListBucketResult>").utf8)
  }

  private func all(_ server: ScriptedServer, tries: Int = 1) throws -> [ObjectEntry] {
    var listing = try Fixture.store(server, tries: tries).list(Self.prefix)
    var entries: [ObjectEntry] = []
    while let entry = try listing.next() { entries.append(entry) }
    #expect(try listing.next() == nil)
    return entries
  }

  @Test("Pages are asked for one after the other, when they are needed")
  func pages() throws {
    let server = ScriptedServer { request in
      switch request.index {
      case 0: Reply(200, body: Self.page(["dumps/a b", "dumps/\n+%"], next: "t/1"))
      case 1: Reply(200, body: Self.page([], next: "t/2"))
      default: Reply(200, body: Self.page(["dumps/é"]))
      }
    }
    var listing = try Fixture.store(server).list(Self.prefix)
    #expect(try listing.next()?.address.key == "dumps/a b")
    #expect(server.requests.count == 1)
    let second = try listing.next()
    #expect(second?.address.key == "dumps/\n+%")
    #expect(second?.size == 5)
    #expect(second?.entityTag == "\"e\"")
    #expect(second?.modified?.seconds == 1_791_827_430)
    #expect(try listing.nextPage().map(\.address.key) == ["dumps/é"])
    #expect(try listing.nextPage().isEmpty)
    #expect(
      server.requests.map(\.target) == [
        "/bucket?encoding-type=url&list-type=2&prefix=dumps%2F",
        "/bucket?continuation-token=t%2F1&encoding-type=url&list-type=2&prefix=dumps%2F",
        "/bucket?continuation-token=t%2F2&encoding-type=url&list-type=2&prefix=dumps%2F",
      ])
  }

  @Test("A list without end is an error")
  func endless() throws {
    for next: @Sendable (Int) -> String in [{ _ in "same" }, { "\($0 % 3)" }, { "t\($0)" }] {
      let server = ScriptedServer { Reply(200, body: Self.page([], next: next($0.index))) }
      #expect(Fixture.error { _ = try all(server) }?.kind == .malformed)
      #expect(server.requests.count <= 1000)
    }
    let full = ScriptedServer { Reply(200, body: Self.page(["dumps/a"], next: "\($0.index)")) }
    var limits = ObjectStoreLimits()
    limits.listed = 20
    var listing = try Fixture.store(full, tries: 1, limits: limits).list(Self.prefix)
    #expect(Fixture.error { while try listing.next() != nil {} }?.kind == .tooLarge)
    #expect(full.requests.count == 21)
  }

  @Test("A list that cannot be believed is an error")
  func malformed() throws {
    let huge = "<a>" + String(repeating: "x", count: 17 << 20) + "</a>"
    for body in [
      Self.page(["other/key"]), Self.page([""]), Array(Self.page(["dumps/a"]).dropLast(9)), [],
      Array("<html/>".utf8), Self.page([], more: huge),
      Self.page([], more: String(repeating: "<a/>", count: 200_000)),
      Self.page([], more: "<Contents><Key>dumps/%FF</Key><Size>1</Size></Contents>"),
      Self.page([], more: "<Contents><Key>dumps/a</Key><Size>-1</Size></Contents>"),
      Self.page([], more: "<Contents><Key>dumps/a</Key></Contents>"),
      Self.page(["dumps/" + String(repeating: "a", count: 1025)]),
      Array("<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>".utf8),
      Array("<ListBucketResult/>".utf8),
      Array("<!DOCTYPE a [<!ENTITY b \"c\">]><ListBucketResult/>".utf8),
    ] {
      let server = ScriptedServer { _ in Reply(200, body: body) }
      #expect(Fixture.error { _ = try all(server) }?.kind == .malformed)
    }
  }

  @Test("A list that was damaged on its way is asked for again")
  func again() throws {
    let server = ScriptedServer { request in
      request.index == 0 ? Reply(200, body: [60]) : Reply(200, body: Self.page(["dumps/a"]))
    }
    #expect(try all(server, tries: 2).count == 1)
  }

  @Test("Any document ends in a page or an error")
  func hostile() {
    let page = Self.page(["dumps/a", "dumps/b c"], next: "token")
    var mutator = Mutator(seed: 2)
    var read = 0
    for bytes in mutator.copies(of: page, count: TestSize.of(small: 2000, all: 50_000)) {
      guard let page = try? ListingPage(bytes, of: Self.prefix) else { continue }
      read += 1
      #expect(page.entries.allSatisfy { $0.address.key.hasPrefix("dumps/") && $0.size >= 0 })
    }
    #expect(read > 0)
  }
}
