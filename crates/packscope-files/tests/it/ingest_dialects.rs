//! Tables in dialects that were once misread, as found by chance: each is read correctly, or refused with a remedy.

use crate::ingest_columns::{are_read, are_refused};

#[test]
fn titles_stand_above_any_table() {
    are_read(&[
        (
            "All of my data\n\"len\"|\"count\"\n\"5\"|\"1000\"\n\"9\"|\"1\"\n",
            "5×1000 9×1",
        ),
        (
            "All of my data\n\"Seq-Len\"\t\"n\"\n\"5\"\t\"1,000\"\n\"9\"\t\"1\"\n",
            "5×1000 9×1",
        ),
        (
            "All of my data\nnumber,split,Seq-Len\n30,train,5\n40,train,9\n",
            "5×30 9×40",
        ),
        (
            "All of my data\n+-----+-------+\n| len | count |\n+-----+-------+\n|   5 |  1000 |\n|   9 |     1 |\n+-----+-------+\n",
            "5×1000 9×1",
        ),
        (
            "All of my data\n\"length\" \"cnt\"\n\"5\" \"1000\"\n\"9\" \"1\"\n",
            "5×1000 9×1",
        ),
        (
            "Lengths of my data\nlength count\n5 1000\n9 1\n",
            "5×1000 9×1",
        ),
        // As spreadsheets write them, with marks for all columns.
        ("My data,\n,\nlength,count\n5,1000\n9,1\n", "5×1000 9×1"),
    ]);
}

#[test]
fn a_first_line_that_names_one_column_of_several_is_no_title() {
    are_read(&[(
        "nchar\tn\t\n562\t\"1,152,847\"\t0\n\"1,247\"\t432\t1\n9\t7\t2\n",
        "9×7 562×1152847 1247×432",
    )]);
    are_refused(&[("bin\t\t\n562\t30\t0\n9\t7\t1\n", "known to be a length")]);
}

#[test]
fn names_may_be_empty_between_bars() {
    are_read(&[(
        " token_length | n \n--------------+-------\n          124 |   228 \n(1 row)\n",
        "124×228",
    )]);
    are_refused(&[
        ("|n_atoms\n1000|5\n1|9\n", "may be the length, or how often"),
        (
            "      | nchar \n------+-------\n 1000 |     5 \n    1 |     9 \n(2 rows)\n",
            "may be the length, or how often",
        ),
        (
            "| len |  |\n|---:|---:|\n| 5 | 1000 |\n| 9 | 1 |\n",
            "may be the length, or how often",
        ),
    ]);
}

#[test]
fn spaces_part_cells_that_are_in_quotes_empty_or_named_in_part() {
    are_read(&[
        (
            "\"size\" \"number\"\n\"2076\" \"548166\"\n\"85\" \"3\"\n\"9\" \"3\"\n",
            "9×3 85×3 2076×548166",
        ),
        (
            "\"length\" \"size\" \"\"\n\"5\" \"1000\" \"0\"\n\"9\" \"30\" \"1\"\n",
            "5×1000 9×30",
        ),
        ("split length count\ntrain 5 1000\ntest 9 1\n", "5×1000 9×1"),
        ("split Länge counts\ntrain 559 63\n", "559×63"),
        // As pandas writes a table with its index.
        (" length count\n0 5 1000\n1 9 1\n", "5×1000 9×1"),
        ("length 0\n5 1000\n9 1\n", "5×1000 9×1"),
    ]);
    are_refused(&[
        (
            "id num_tokens \n1 5 1000\n2 9 30\n3 12 7\n",
            "may be the count",
        ),
        ("bin freq\n625 149\n900 200\n", "thousands"),
        ("Länge total\n226 205\n", "thousands"),
        ("12 345\n10 234\n", "thousands"),
        (" bin\n94 737\n3 736\n", "thousands"),
        (
            "My data\nshare bin x split\n0.5 337 15 train\n0.4 374 14 train\n",
            "",
        ),
    ]);
    // One name has no other cell to part from.
    are_read(&[
        ("length\n1 234\n12 345\n", "1234×1 12345×1"),
        ("length count\n5 100\n9 200\n", "5×100 9×200"),
    ]);
}

/// R writes a name before each row, and none for it in the header.
#[test]
fn rows_with_names_are_read_beneath_a_header_without_one() {
    are_read(&[
        (
            "\"length\" \"count\"\n\"1\" 5 1000\n\"2\" 9 1\n",
            "5×1000 9×1",
        ),
        ("\"length\"\n\"1\" 5\n\"2\" 9\n", "5×1 9×1"),
        ("\"length\",\"n\"\n\"1\",5,1000\n\"2\",9,1\n", "5×1000 9×1"),
        ("length\tcount\na\t5\t1000\nb\t9\t1\n", "5×1000 9×1"),
    ]);
    are_refused(&[("length,n\n30,5,1000\n31,9,1\n", "a name for each column")]);
}

#[test]
fn what_uniq_prints_is_known_by_its_spaces_or_asked_about() {
    are_read(&[
        ("    112 43\n", "43×112"),
        ("1234567 43\n      1 9\n", "9×1 43×1234567"),
    ]);
    are_refused(&[
        ("1047787 523\n1234799 732\n1201494 1713\n", "uniq -c"),
        ("4787 23\n4799 32\n1494 13713\n", "uniq -c"),
        ("[[727,3]]", "--count-column"),
    ]);
}

#[test]
fn one_row_and_few_kinds_do_not_tell_counts_from_other_numbers() {
    let flags = "--count-column";
    are_refused(&[
        ("length,x,share\n583,1185271,1.0\n", flags),
        (
            "{\"id\":1,\"token_length\":187,\"how many\":1058897}\n",
            flags,
        ),
        ("split,length,x\ntrain,445,1176891\ndev,445,177\n", flags),
        (
            "id,split,length,x\n1,a,5,7\n2,b,5,9\n3,a,6,9\n4,b,6,8\n",
            flags,
        ),
        (
            ",len,x,split\n0,5,70,a\n1,5,80,b\n2,6,70,a\n3,6,9,b\n",
            flags,
        ),
        ("x,len\n1,403\n2,694\n3,1195\n", flags),
        ("size,len\n1,673\n2,817\n3,1330\n", flags),
        (" split bin\n1841819 train 754\n", ""),
        ("split  bin \ntrain 0 199 194\n", ""),
    ]);
}

#[test]
fn size_may_be_the_number_of_what_another_column_measures() {
    are_read(&[(
        "size;;Länge\n87576;0;709\n684269;1;1054\n",
        "709×87576 1054×684269",
    )]);
    are_refused(&[
        ("bin,size\n5,1000\n9,30\n", "may be the count"),
        (
            "bin,size,split\n5,1000,a\n5,30,b\n9,30,a\n9,4,b\n",
            "may be the count",
        ),
        (
            "{\"bin\":5,\"size\":1000}\n{\"bin\":9,\"size\":1001}\n",
            "may be the count",
        ),
    ]);
    are_read(&[
        ("size,n\n5,1000\n9,30\n", "5×1000 9×30"),
        ("id,size\n1,5\n2,9\n3,5\n", "5×2 9×1"),
    ]);
}

/// `groupby("nchar").size().to_csv()` has no name for the counts but 0.
#[test]
fn a_zero_names_the_column_that_pandas_has_no_name_for() {
    let rows: String = (1..30)
        .map(|length| format!("{length},{}\n", 7 * (30 - length)))
        .collect();
    are_read(&[
        ("nchar,0\n5,1000\n9,1\n", "5×1000 9×1"),
        ("0,nchar\n1000,5\n1,9\n", "5×1000 9×1"),
    ]);
    let want: Vec<String> = (1..30)
        .map(|length| format!("{length}×{}", 7 * (30 - length)))
        .collect();
    are_read(&[(&format!("nchar,0\n{rows}"), &want.join(" "))]);
}
