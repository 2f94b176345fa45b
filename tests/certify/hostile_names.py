"""Names of files that lead out of their folder, or that two systems read in two ways."""

HOSTILE_NAMES = [
    *("../secret", "tables/../../secret", "/etc/passwd", "..", ".", "", "tables//bets.csv", "tables/"),
    *("./report.md", "..\\secret", "tables\\bets.csv", "C:secret", "C:/secret", "report.md:stream"),
    *("report.md\0", "report\n.md", "\u202ereport.md", "cafe\u0301.md", "\ud800", ".hidden"),
    *("report.md ", " report.md", "report.md."),
]
