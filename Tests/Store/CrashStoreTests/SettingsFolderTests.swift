import Bytes
import TestSupport
import Testing

@testable import CrashStore

@Suite("Settings of a home") struct SettingsFolderTests {
  private let folder = ScratchFolder()

  @Test("Scrubbing rules are nil until they are set, and replaced only where that is wanted")
  func scrubRules() throws {
    let store = try CrashStore(checking: folder.path("home"))
    let settings = store.settings
    #expect(try settings.scrubRules(limit: 10) == nil)
    try settings.setScrubRules(ByteView("[scrub]".utf8), replacing: false)
    #expect(try settings.scrubRules(limit: 10)?.text == "[scrub]")
    #expect(throws: FileError.self) {
      try settings.setScrubRules(ByteView("other".utf8), replacing: false)
    }
    try settings.setScrubRules(ByteView("other".utf8), replacing: true)
    // A home that is not opened has the same.
    let closed = SettingsFolder(of: store.home)
    #expect(try closed.scrubRules(limit: 10)?.text == "other")
    #expect(closed.scrubRulesName == folder.path("home/scrub.conf"))
    #expect(throws: FileError.self) { try closed.scrubRules(limit: 4) }
  }
}
