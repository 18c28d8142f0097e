import Arguments

/// What `mayday help` explains besides commands.
enum HelpTopics {
  static let all = [query, exitCodes, environment, configuration]

  static let query = HelpTopic(
    "query", "How groups and reports are asked for.",
    [
      .paragraph(
        """
        A query is conditions FIELD:VALUE and words to search for, all of which must hold. \
        'mayday fields' lists the fields.
        """),
      .list([
        .init("is:open", "A condition."),
        .init("-is:handled", "Its opposite."),
        .init("signal:SIGSEGV|SIGBUS", "Either."),
        .init("device:iPhone15,*", "* is any text, ? any letter."),
        .init("version:>=2.4", "From a version on; also >, <, <=. Builds and numbers are alike."),
        .init("build:512..600", "From one to another, both included."),
        .init("first:<7d", "Less than seven days ago; s, m for minutes, h, d, w."),
        .init("time:2026-05-01..2026-05-07", "Days in UTC, or times of RFC 3339."),
        .init("file:=Renderer.swift", "The whole text, where a part would do."),
        .init("property.Category:Music", "A property that the app gave."),
        .init("user:\"\"", "The report says nothing of it."),
        .init("Renderer", "A word that stands in a function, file or message."),
      ]),
      .paragraph(
        """
        What has a blank in it stands in quotes, and the whole condition in others, which the shell \
        takes away: 'reason:"null dereference"'. The shell also wants them around <, > and |.
        """),
    ])

  static let exitCodes = HelpTopic(
    "exit-codes", "What the exit status says.",
    [.list(ExitCode.allCases.map { .init(String($0.rawValue), $0.meaning) })])

  static let environment = HelpTopic(
    "environment", "The environment variables that count.",
    [
      .paragraph(
        """
        Every option can be given by an environment variable, which help names in brackets: --home \
        by MAYDAY_HOME, --no-inlines by MAYDAY_NO_INLINES. A list has : between the values. A flag is \
        on unless its variable is empty, 0, no, false or off. The command line counts before the \
        environment, the environment before the configuration file.
        """),
      .list(variables),
    ])

  static let variables: [HelpTopic.Row] = [
    .init("MAYDAY_HOME", "Where reports and debug files are kept."),
    .init("MAYDAY_CONFIG", "The configuration file; /dev/null is none."),
    .init(
      "XDG_DATA_HOME",
      "Reports and debug files are kept in its folder mayday; ~/.local/share unless set."),
    .init(
      "XDG_CONFIG_HOME",
      "The configuration file is its mayday/mayday.conf; ~/.config unless set."),
    .init("NO_COLOR", "No colours, whatever it says, unless it is empty."),
    .init(
      "CLICOLOR_FORCE",
      "Colours also where the output is no terminal, unless it is empty or 0, or NO_COLOR is set."),
    .init("COLUMNS", "How wide tables may be where the output is no terminal; 80 unless set."),
  ]

  static let configuration = HelpTopic(
    "configuration", "The configuration file: where it is, and what it may say.",
    [
      .paragraph(
        """
        One file may hold what should count for every run: $XDG_CONFIG_HOME/mayday/mayday.conf, \
        else ~/.config/mayday/mayday.conf, or the file that --config or $MAYDAY_CONFIG names.
        """),
      .verbatim(
        """
        [mayday]
        home = ~/crashes

        [groups]
        limit = 20

        [symbols add]
        json = yes
        """),
      .paragraph(
        """
        What stands below [mayday] counts for every command that has the option, what stands below \
        the name of a command for that one; [symbols] is all of its commands. A name is that of an \
        option without its dashes, a value the rest of the line. A flag is yes or no. A list has a \
        line for each value. A value that begins with ~/ is a path below the home directory.
        """),
      .paragraph(
        """
        'mayday config' shows what holds and where it comes from, 'mayday config check' tells what is \
        wrong with a file, 'mayday config example' prints one to start from.
        """),
    ])
}
