internal import Arguments

/// The form in which a triage is printed.
enum TriageForm: String, CaseIterable, ArgumentValue {
  case text, json
  /// Annotations and a job summary of GitHub Actions.
  case github
  /// A Code Quality report of GitLab.
  case gitlab
  case junit, sarif
}
