internal import CrashModel
package import CrashStore
package import Documents
internal import Statistics

extension AppRegressions: Documented {
  package static let declaration = DocumentType("Regressions", blank: AppRegressions(app: "")) {
    DocumentMember(schema: 1)
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember(
      "basis", \.basis, .word, "What cases are counted among: sessions, or reports of other groups."
    )
    DocumentMember("since", optional: \.since, .day, "The first day; absent where all count.")
    DocumentMember("test", derived: { _ in FirstBadTest.name }, .text)
    DocumentMember(
      "builds", \.buildNames, .list(.text), "Those that are compared, oldest first.",
      example: ["1.4.0 (512)"])
    DocumentMember("tested", \.tested, .count, "Groups that are frequent enough to be looked at.")
    DocumentMember(
      "comparisons", \.comparisons, .count, "By which probabilities are multiplied.")
    DocumentMember(
      "newest", \.newestName, .text, "The newest release; empty without one.",
      example: "1.4.0 (512)")
    DocumentMember(
      "whole", optional: \.whole, .object(FirstBadBuild.declaration),
      "Crashes of all groups together, with sessions only.")
    DocumentMember(
      "items", \.groups, .list(.object(FirstBadBuild.declaration)),
      "Newest builds first, in each the most certain.")
    DocumentMember("total", \.total, .count)
  }

  private var buildNames: [String] {
    get { builds.map(\.name) }
    set { builds = newValue.map { Release($0) } }
  }

  private var newestName: String {
    get { newest?.name ?? "" }
    set { newest = newValue.isEmpty ? nil : Release(newValue) }
  }
}

extension FirstBadBuild: Documented {
  package static let declaration = DocumentType(
    "FirstBadBuild",
    blank: FirstBadBuild(
      group: "", release: Release(version: ""), last: Release(version: ""), isNew: false,
      new: FisherTest.Sample(marked: 0, of: 0), former: FisherTest.Sample(marked: 0, of: 0),
      installs: 0, pValue: 1, confidence: 0)
  ) {
    DocumentMember(
      "group", nonEmpty: \.group, .text, "Absent for all groups together.", example: "TERN-12")
    DocumentMember("title", nonEmpty: \.title, .text, "The text of its signature.")
    DocumentMember("state", \.state, .word, "Its status now.")
    DocumentMember("version", \.release.version, .text, "The first bad build.", example: "1.4.0")
    DocumentMember("build", nonEmpty: \.release.build, .text, example: "512")
    DocumentMember("last_version", \.last.version, .text, "The last bad build that was compared.")
    DocumentMember("last_build", nonEmpty: \.last.build, .text)
    DocumentMember("new", \.isNew, .flag, "Whether no release before has it.")
    DocumentMember("cases", \.new.marked, .count, "In these builds.")
    DocumentMember("among", \.new.all, .count, "Sessions of these builds, or cases.")
    DocumentMember("former_cases", \.former.marked, .count, "In all builds before.")
    DocumentMember("former_among", \.former.all, .count)
    DocumentMember(
      "installs", \.installs, .count, "Distinct installations; reports that name none count each.")
    DocumentMember("p", \.pValue, .number, "Before it is corrected.", example: 0.000013)
    DocumentMember(
      "confidence", \.confidence, .share, "How surely it is more frequent.", example: 0.9987)
  }
}

extension Correlations: Documented {
  package static let declaration = DocumentType(
    "Correlations", blank: Correlations(group: "", app: "")
  ) {
    DocumentMember(schema: 1)
    DocumentMember("group", \.group, .text, example: "TERN-12")
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember("title", \.title, .text, "The text of the group's signature.")
    DocumentMember("test", derived: { _ in Correlations.test }, .text)
    DocumentMember("cases", \.cases, .count, "Of the group.")
    DocumentMember("other_cases", \.otherCases, .count, "Of all other groups of the app.")
    DocumentMember("tested", \.tested, .count, "How many values were compared.")
    DocumentMember(
      "items", \.items, .list(.object(Correlation.declaration)),
      "Values that are more frequent in the group, the largest difference first.")
  }
}

extension Correlation: Documented {
  package static let declaration = DocumentType(
    "Correlation",
    blank: Correlation(
      field: "", value: "", cases: 0, allCases: 0, otherCases: 0, allOtherCases: 0, pValue: 1,
      adjustedPValue: 1)
  ) {
    DocumentMember("field", \.field, .text, "As queries call it.", example: "device")
    DocumentMember("value", \.value, .text, example: "iPhone15,2")
    DocumentMember(
      "synonyms", \.synonyms, .list(.text), "Other values that exactly the same cases have.",
      example: ["os.build:21E219"])
    DocumentMember("cases", \.cases, .count, "Of the group, with it.")
    DocumentMember("all_cases", \.allCases, .count, "Of the group.")
    DocumentMember("other_cases", \.otherCases, .count, "Of other groups, with it.")
    DocumentMember("all_other_cases", \.allOtherCases, .count, "Of other groups.")
    DocumentMember(
      "installs", \.installs, .count, "Distinct installations; reports that name none count each.")
    DocumentMember("share", derived: { $0.share }, .number, "In the group, from 0 to 1.")
    DocumentMember("app_share", derived: { $0.appShare }, .number, "In the app.")
    DocumentMember(
      "expected_share", optional: \.expectedShare, .number,
      "What the releases alone would give it; absent for releases.")
    DocumentMember(
      "follows_release", derived: { $0.followsRelease }, .flag,
      "Whether it is no more frequent than elsewhere in the same releases.")
    DocumentMember("p", \.pValue, .number, "Before it is corrected.", example: 0.000013)
    DocumentMember("adjusted_p", \.adjustedPValue, .number, example: 0.0013)
  }
}
