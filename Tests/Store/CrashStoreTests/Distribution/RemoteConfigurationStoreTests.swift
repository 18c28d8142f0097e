import TestSupport
import Testing
import Updates

@testable import CrashStore

@Suite("The store of remote configurations")
struct RemoteConfigurationStoreTests {
  private let folder = ScratchFolder()

  private func document(_ version: String) throws -> RemoteConfiguration {
    try RemoteConfiguration(
      #"{"custom": 1.50, "appUpdate": {"availableVersion": "\#(version)", "url": "https://example.org"}}"#
        .utf8)
  }

  @Test("Each document stays as published, and a former one can be served again")
  func history() throws {
    let store = try CrashStore(checking: folder.path("home"))
    try store.apps.add("Tern", secret: nil)
    let documents = store.remoteConfigurations
    #expect(throws: RemoteConfigurationAbsence(app: "Tern", cause: .nothing)) {
      try documents.get(of: "Tern")
    }
    let first = try documents.publish(document("1.0"), of: "Tern", by: "ada")
    try documents.publish(document("1.1"), of: "Tern", note: "newer", by: "bob")
    #expect(try documents.get(of: "Tern").availableVersion == "1.1")
    let again = try documents.rollBack(of: "Tern", by: "ada")
    #expect(again.text == first.text)
    #expect(again.source == 1)
    #expect(try documents.get(1, of: "Tern") == first)
    #expect(try documents.history(of: "Tern").map(\.number) == [3, 2, 1])
    #expect(throws: RemoteConfigurationAbsence(app: "Tern", cause: .number(9))) {
      try documents.get(9, of: "Tern")
    }
  }
}
