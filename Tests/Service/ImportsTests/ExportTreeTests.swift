import Testing

@testable import Imports

@Suite struct PathNamesTests {
  @Test func `the parts of a path are its folders and its file without the ending`() {
    let names = PathNames("dump/distribution_groups/Beta%20testers/members.json")
    #expect(names.parts == ["dump", "distribution_groups", "Beta testers", "members"])
    #expect(names.part(after: "distribution_groups") == "Beta testers")
    #expect(names.words.contains("Beta"))
  }
}
