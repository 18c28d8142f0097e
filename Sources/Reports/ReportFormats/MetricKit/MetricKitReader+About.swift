extension MetricKitReader {
  static let about = FormatDescription(
    title: "MetricKit", family: .apple, symbols: .resolved, since: "0.1.0",
    introduction: """
      Payloads of `MXDiagnosticPayload`, one of its diagnostics, or a tree of calls alone. Each \
      diagnostic is a report.
      """,
    facts: [
      (
        "recognised by",
        """
        `crashDiagnostics`, `hangDiagnostics`, `cpuExceptionDiagnostics`, \
        `diskWriteExceptionDiagnostics`, `appLaunchDiagnostics`, `callStackTree`, `callStacks` as \
        keys of the object; of iOS 27 `diagnosticReports`, or `result` beside `environment` or \
        `timeRange`
        """
      ),
      (
        "iOS 27",
        """
        a report of each event, memory exceptions (`oom`) with their stack; no document of a device \
        is known yet, so keys are read in old and new spellings
        """
      ),
      (
        "identity",
        """
        app, system, model, architecture, pid; the time is the end of the payload's day
        """
      ),
      (
        "reason",
        """
        exception and signal by their names, termination, memory region, the Objective-C \
        exception; how long a hang or launch took, how much was used or written
        """
      ),
      (
        "stacks",
        """
        a thread for each call stack, of any depth; where samples were put together the heaviest \
        path through them, with a note
        """
      ),
      (
        "order",
        """
        the innermost call first in crashes, last in samples; the image in which threads begin \
        decides where one end alone lies in it
        """
      ),
      (
        "images",
        """
        those of the frames; `offsetIntoBinaryTextSegment` is the image's address in crashes of \
        iOS 14, an offset later
        """
      ),
      ("positions", "youngest frame `exact`, all others `return`"),
    ])
}
